/** Which addresses are public unicast, and how an operator opens others. */
import * as fc from 'fast-check';
import t from 'tap';
import {
  canonicalAddress,
  createAddressGuard,
  isPublicAddress,
} from '../../src/images/fetch/address-guard.ts';
import { closedAddresses, publicAddresses } from '../fixtures/images-addresses.ts';

t.test('public unicast addresses may be connected to', (t) => {
  for (const address of publicAddresses) t.ok(isPublicAddress(address), address);
  t.end();
});

t.test('everything else may not', (t) => {
  for (const address of closedAddresses) t.notOk(isPublicAddress(address), address);
  t.end();
});

t.test('what is no plain address is refused, also when a lax parser would take it', (t) => {
  const none = ['', '8', '010.8.8.8', '0x08.8.8.8', '8.8.8', '8.8.8.8.', ' 8.8.8.8', '8.8.8.8:80'];
  const zones = ['2606:4700::1111%eth0', 'fe80::1%1', '[2606:4700::1111]', '::ffff:8.8.8.8%1'];
  for (const text of [...none, ...zones, 'localhost', 'example.com'])
    t.notOk(isPublicAddress(text), text);
  t.end();
});

t.test(
  'an address inside of any IPv4 block that is special stays closed however it is embedded',
  (t) => {
    const octet = fc.nat(255);
    const block = fc.constantFrom('10', '127', '0', '224', '255');
    fc.assert(
      fc.property(block, octet, octet, octet, (first, b, c, d) => {
        const ipv4 = `${first}.${b}.${c}.${d}`;
        const hex = [Number(first) * 256 + b, c * 256 + d].map((part) => part.toString(16));
        const [high = '', low = ''] = hex;
        return [
          ipv4,
          `::ffff:${ipv4}`,
          `::${ipv4}`,
          `::ffff:0:${ipv4}`,
          `64:ff9b::${ipv4}`,
          `64:ff9b:1::${ipv4}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
          `2606:4700::5efe:${ipv4}`,
          `2606:4700::200:5efe:${ipv4}`,
          `fe80::5efe:${ipv4}`,
        ].every((address) => !isPublicAddress(address));
      }),
      { numRuns: 500 },
    );
    t.end();
  },
);

t.test('an operator opens single addresses and blocks, and nothing beside them', (t) => {
  const guard = createAddressGuard(['10.1.0.0/16', ' 127.0.0.1', 'fd00:1::/32', '::1/128']);
  for (const address of ['10.1.0.0', '10.1.255.255', '127.0.0.1', 'fd00:1::9', '::1', '8.8.8.8'])
    t.ok(guard.isAllowed(address), address);
  for (const address of ['10.2.0.0', '127.0.0.2', 'fd00:2::9', '::2', '::ffff:127.0.0.1'])
    t.notOk(guard.isAllowed(address), address);
  t.end();
});

t.test('a range that is none is named', (t) => {
  for (const text of [
    '',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '1/8',
  ])
    t.throws(() => createAddressGuard([text]), { message: `"${text}" is no address range` }, text);
  t.end();
});

t.test('two spellings of one address compare as equal', (t) => {
  t.equal(canonicalAddress('2606:4700:0:0::1111'), canonicalAddress('2606:4700::1111'));
  t.not(canonicalAddress('1.1.1.1'), canonicalAddress('1.1.1.2'));
  t.equal(canonicalAddress('one.one.one.one'), undefined);
  t.end();
});
