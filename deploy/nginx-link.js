// The canonical part of a link, for /etc/nginx/platen-link.js, which nginx-fleet.conf imports. A link gets the same text
// in whatever order its parameters stand, however they are encoded, and whatever campaigns, signatures and clicks add.

// Of src/render/link/nested-url.ts. Without a prototype: a variable may be called constructor.
const ignored = Object.create(null);
`_expires _signature fbclid igshid gclid gclsrc dclid gbraid wbraid srsltid msclkid twclid ttclid li_fat_id epik sccid
 rdt_cid yclid ysclid mc_cid mc_eid mkt_tok vero_id oly_enc_id oly_anon_id`
  .split(/\s+/)
  .forEach((name) => (ignored[name] = true));

// A template has at most 200 variables. A link with more parameters goes where its own text says, before a worker, which
// waits meanwhile, has taken them apart.
const parametersMax = 300;

function decode(text) {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
    // oxlint-disable-next-line no-unused-vars -- njs expects a name
  } catch (_) {
    return spaced;
  }
}

function link(request) {
  // Renders of a JSON body have one path: they are spread.
  if (request.method !== 'GET' && request.method !== 'HEAD') return request.variables.request_id;
  const text = request.variables.request_uri;
  const mark = text.indexOf('?');
  if (mark === -1) return `${decode(text)}?`;
  const segments = text.slice(mark + 1).split('&', parametersMax + 1);
  if (segments.length > parametersMax) return text;
  const kept = segments
    // From an &amp; that was not unescaped.
    .map((segment) => decode(segment).replace(/^amp;/, ''))
    .filter((parameter) => {
      const name = parameter.split('=', 1)[0];
      return parameter !== '' && !ignored[name] && !name.startsWith('utm_');
    });
  // oxlint-disable-next-line unicorn/no-array-sort -- njs has no toSorted
  return `${decode(text.slice(0, mark))}?${kept.sort().join('&')}`;
}

// oxlint-disable-next-line import/no-default-export -- njs imports nothing else
export default { link };
