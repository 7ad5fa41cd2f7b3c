meta:
  id: dns_packet
  title: DNS (Domain Name Service) packet
  endian: be
  encoding: utf-8
doc: Messages of the Domain Name System (RFC 1035).
-remora:
  udp: 53
  type: flags.opcode
  request: {if: flags.qr == 0, key: transaction_id}
  response: {if: flags.qr == 1, key: transaction_id}
seq:
  - id: transaction_id
    type: u2
    -remora: {base: hex, label: Transaction ID}
  - id: flags
    type: packet_flags
  - id: qdcount
    type: u2
    doc: Number of questions.
  - id: ancount
    type: u2
    doc: Number of answers.
  - id: nscount
    type: u2
    doc: Number of authority records.
  - id: arcount
    type: u2
    doc: Number of additional records.
  - id: queries
    type: query
    repeat: expr
    repeat-expr: qdcount
  - id: answers
    type: answer
    repeat: expr
    repeat-expr: ancount
  - id: authorities
    type: answer
    repeat: expr
    repeat-expr: nscount
  - id: additionals
    type: answer
    repeat: expr
    repeat-expr: arcount
types:
  packet_flags:
    seq:
      - id: flag
        type: u2
    instances:
      qr: {value: '(flag & 0x8000) >> 15'}
      opcode: {value: '(flag & 0x7800) >> 11'}
      tc: {value: '(flag & 0x0200) >> 9'}
      rd: {value: '(flag & 0x0100) >> 8'}
      rcode: {value: flag & 0xf, if: qr == 1}
  query:
    seq:
      - id: name
        type: domain_name
      - id: type
        type: u2
        enum: type_type
      - id: query_class
        type: u2
  answer:
    seq:
      - id: name
        type: domain_name
      - id: type
        type: u2
        enum: type_type
      - id: answer_class
        type: u2
      - id: ttl
        type: u4
      - id: rdlength
        type: u2
      - id: payload
        size: rdlength
        type:
          switch-on: type
          cases:
            'type_type::a': address
            'type_type::aaaa': address_v6
            'type_type::ptr': domain_name
            'type_type::cname': domain_name
            'type_type::mx': mx_info
  domain_name:
    seq:
      - id: name
        type: label
        repeat: until
        repeat-until: _.length == 0 or _.length >= 192
        doc: Ends in an empty label, or in a pointer to the rest of the name.
  label:
    seq:
      - id: length
        type: u1
      - id: pointer
        type: pointer_struct
        if: is_pointer
      - id: name
        type: str
        encoding: utf-8
        size: length
        if: not is_pointer
    instances:
      is_pointer: {value: length >= 192}
  pointer_struct:
    seq:
      - id: value
        type: u1
        doc: The low byte of the offset.
    instances:
      contents:
        io: _root._io
        pos: value + ((_parent.length - 192) << 8)
        type: domain_name
  address:
    seq:
      - id: ip
        size: 4
  address_v6:
    seq:
      - id: ip_v6
        size: 16
  mx_info:
    seq:
      - id: preference
        type: u2
      - id: mx
        type: domain_name
enums:
  type_type:
    1: a
    2: ns
    5: cname
    6: soa
    12: ptr
    15: mx
    16: txt
    28: aaaa
    33: srv
    41: opt
    65: https
