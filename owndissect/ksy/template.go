package ksy

// template is what a new description begins with.
const template = `# A dissector for NAME, in Kaitai Struct (https://doc.kaitai.io). It is read again whenever it is saved.
meta:
  id: NAME
  title: NAME
  endian: be          # the order of bytes: be (network order) or le

# Where it applies, and what the packet list says. Only remora reads this part.
-remora:
  udp: 7777           # or a list, or a range: 7777-7780
# tcp: 7777           # a message is as long as seq reads; or
# tcp: {port: 7777, header: 2, length: 2 + len}
# guess: id > 0       # finds it on other ports, too
  type: kind          # the field that is the packet type
  info: "id {id}, {rest}"
# roles: {source: 'kind == kinds::ask ? "client" : "server"'}
# request: {if: 'kind == kinds::ask', key: id}
# response: {if: 'kind == kinds::answer', key: id}

seq:
  - id: kind
    type: u1
    enum: kinds
    doc: What the packet is.
  - id: id
    type: u2
    doc: Joins an answer with what was asked.
  - id: rest
    size-eos: true
    doc: What is not known yet.

enums:
  kinds:
    1: ask
    2: answer
`
