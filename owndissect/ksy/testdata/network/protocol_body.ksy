meta:
  id: protocol_body
doc: What an IP packet carries, by the number of its protocol.
params:
  - id: protocol_num
    type: u1
seq:
  - id: body
    type:
      switch-on: protocol
      cases:
        protocol_enum::tcp: tcp_segment
        _: rest
types:
  rest:
    seq:
      - id: data
        size-eos: true
  tcp_segment:
    meta:
      endian: be
    seq:
      - id: src_port
        type: u2
      - id: data
        size-eos: true
instances:
  protocol:
    value: protocol_num
    enum: protocol_enum
enums:
  protocol_enum:
    1: icmp
    2: igmp
    6: tcp
    17: udp
