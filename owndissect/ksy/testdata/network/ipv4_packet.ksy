meta:
  id: ipv4_packet
  title: IPv4 network packet
  endian: be
  imports:
    - /network/protocol_body
-remora:
  inside: {ethertype: 0x800}
seq:
  - id: b1
    type: u1
  - id: b2
    type: u1
  - id: total_length
    type: u2
  - id: identification
    type: u2
    -remora: {base: hex}
  - id: b67
    type: u2
  - id: ttl
    type: u1
  - id: protocol
    type: u1
  - id: header_checksum
    type: u2
    -remora: {base: hex}
  - id: src_ip_addr
    size: 4
  - id: dst_ip_addr
    size: 4
  - id: options
    type: ipv4_options
    size: ihl_bytes - 20
  - id: body
    type: protocol_body(protocol)
    size: total_length - ihl_bytes
instances:
  version: {value: '(b1 & 0xf0) >> 4'}
  ihl: {value: b1 & 0xf}
  ihl_bytes: {value: ihl * 4}
types:
  ipv4_options:
    seq:
      - id: entries
        type: ipv4_option
        repeat: eos
  ipv4_option:
    seq:
      - id: b1
        type: u1
      - id: len
        type: u1
      - id: body
        size: 'len > 2 ? len - 2 : 0'
