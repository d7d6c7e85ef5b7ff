-- The canonical part of a link, for /etc/haproxy/platen-link.lua, which haproxy.cfg loads. A link gets the same text in
-- whatever order its parameters stand, however they are encoded, and whatever campaigns, signatures and clicks add to it.

-- Of src/render/link/nested-url.ts.
local ignored = {}
for name in ([[
  _expires _signature fbclid igshid gclid gclsrc dclid gbraid wbraid srsltid msclkid twclid ttclid li_fat_id epik sccid
  rdt_cid yclid ysclid mc_cid mc_eid mkt_tok vero_id oly_enc_id oly_anon_id
]]):gmatch('%S+') do
  ignored[name] = true
end

-- A template has at most 200 variables. A link with more parameters goes where its own text says.
local parametersMax = 300

local function decode(text)
  return (text:gsub('%+', ' '):gsub('%%(%x%x)', function(hex)
    return string.char(tonumber(hex, 16))
  end))
end

core.register_converters('platen_link', function(link)
  local path, query = link:match('^([^?]*)%??(.*)$')
  local kept = {}
  for segment in query:gmatch('[^&]+') do
    -- From an &amp; that was not unescaped.
    local parameter = decode(segment):gsub('^amp;', '')
    local name = parameter:match('^[^=]*')
    if not ignored[name] and name:sub(1, 4) ~= 'utm_' then kept[#kept + 1] = parameter end
    if #kept > parametersMax then return link end
  end
  table.sort(kept)
  return decode(path) .. '?' .. table.concat(kept, '&')
end)
