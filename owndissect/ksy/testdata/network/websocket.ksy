meta:
  id: websocket_frames
  title: WebSocket
  endian: be
-remora:
  inside: {http.upgrade: websocket}
  tcp: {}
  type: opcode
seq:
  - id: finished
    type: b1
  - id: reserved
    type: b3
  - id: opcode
    type: b4
    enum: opcode
  - id: is_masked
    type: b1
  - id: len_payload_primary
    type: b7
  - id: len_payload_extended_1
    type: u2
    if: len_payload_primary == 126
  - id: len_payload_extended_2
    type: u8
    if: len_payload_primary == 127
  - id: mask_key
    size: 4
    if: is_masked
  - id: payload_bytes
    size: len_payload
    process: 'xor(is_masked ? mask_key : [0])'
instances:
  len_payload:
    value: >-
      len_payload_primary <= 125 ? len_payload_primary :
      (len_payload_primary == 126 ? len_payload_extended_1 : len_payload_extended_2)
enums:
  opcode:
    0: continuation
    1: text
    2: binary
    8: close
    9: ping
    10: pong
