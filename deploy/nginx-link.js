// The canonical part of a link, for /etc/nginx/platen-link.js, which nginx-fleet.conf imports. A link gets the same text
// in whatever order its parameters stand, however they are encoded, and whatever campaigns, signatures and clicks add.

// Of src/render/link/nested-url.ts.
const ignored = {};
`_expires _signature fbclid igshid gclid gclsrc dclid gbraid wbraid srsltid msclkid twclid ttclid li_fat_id epik sccid
 rdt_cid yclid ysclid mc_cid mc_eid mkt_tok vero_id oly_enc_id oly_anon_id`
  .split(/\s+/)
  .forEach((name) => (ignored[name] = true));

// A template has at most 200 variables. A link with more parameters goes where its own text says.
const parametersMax = 300;

function decode(text) {
  return text
    .replace(/\+/g, ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

function link(request) {
  // Renders of a JSON body have one path: they are spread.
  if (request.method !== 'GET' && request.method !== 'HEAD') return request.variables.request_id;
  const text = request.variables.request_uri;
  const mark = text.indexOf('?');
  if (mark === -1) return `${decode(text)}?`;
  const kept = text
    .slice(mark + 1)
    .split('&')
    // From an &amp; that was not unescaped.
    .map((segment) => decode(segment).replace(/^amp;/, ''))
    .filter((parameter) => {
      const name = parameter.split('=', 1)[0];
      return parameter !== '' && !ignored[name] && !name.startsWith('utm_');
    });
  if (kept.length > parametersMax) return text;
  // oxlint-disable-next-line unicorn/no-array-sort -- njs has no toSorted
  return `${decode(text.slice(0, mark))}?${kept.sort().join('&')}`;
}

// oxlint-disable-next-line import/no-default-export -- njs imports nothing else
export default { link };
