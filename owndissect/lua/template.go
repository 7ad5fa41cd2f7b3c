package lua

import "strings"

// Template is a commented script to begin with.
func (*language) Template(name string) string { return strings.ReplaceAll(template, "NAME", name) }

const template = `-- A dissector for NAME, written in Lua as for Wireshark. Save it, and the packets show what it says.

local p = Proto("NAME", "The NAME protocol")

-- The fields: what filters call them, what the tree calls them, how numbers are written, names of numbers.
local kinds = { [1] = "Hello", [2] = "Data" }
local f_type = ProtoField.uint8("NAME.type", "Type", base.HEX, kinds)
local f_length = ProtoField.uint16("NAME.length", "Length", base.DEC)
local f_text = ProtoField.string("NAME.text", "Text")
p.fields = { f_type, f_length, f_text }

-- What is wrong with a packet.
local e_short = ProtoExpert.new("NAME.short", "The packet is shorter than it says", expert.group.MALFORMED,
    expert.severity.ERROR)
p.experts = { e_short }

function p.dissector(buffer, pinfo, tree)
    if buffer:len() < 3 then return 0 end
    pinfo.cols.protocol = "NAME"
    local kind, length = buffer(0, 1):uint(), buffer(1, 2):uint()
    pinfo.cols.info = (kinds[kind] or "Unknown") .. ", " .. length .. " bytes"

    local item = tree:add(p, buffer())
    item:add(f_type, buffer(0, 1))
    item:add(f_length, buffer(1, 2))
    if buffer:len() < 3 + length then
        item:add_proto_expert_info(e_short)
        length = buffer:len() - 3
    end
    if length > 0 then
        item:add(f_text, buffer(3, length))
    end
end

-- Where it applies.
DissectorTable.get("udp.port"):add(7777, p)
`
