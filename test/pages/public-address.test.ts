import t from 'tap';
import { isPublicAddress, linkBase } from '../../src/pages/browser/public-address.ts';

t.test('an address that readers elsewhere cannot open is distinguished', async (t) => {
  const hidden = [
    'http://localhost:8080 http://127.0.0.1 http://127.8.8.8:3000 http://[::1]:80/p',
    'http://[fd00::1] http://[fe80::1] http://10.0.0.5 http://172.16.0.1 http://172.31.255.1',
    'http://192.168.1.20:3000 http://169.254.1.1 http://100.64.0.1 http://0.0.0.0:3000',
    'http://mailserver:3000 http://nas.local https://platen.internal https://platen.lan/',
    'https://router.home.arpa https://a.localhost nonsense',
  ];
  const open = [
    'https://img.example.com https://localhost.example https://internal.example.com/platen',
    'http://8.8.8.8 http://172.32.0.1 http://100.128.0.1 http://192.169.0.1',
    'http://[2a00:1450::1]',
  ];
  for (const base of ['', ...hidden.join(' ').split(' ')]) {
    t.notOk(isPublicAddress(base), base);
  }
  for (const base of open.join(' ').split(' ')) {
    t.ok(isPublicAddress(base), base);
  }
});

t.test('links begin with the configured address, else with that of the page', async (t) => {
  const page = 'https://images.example.com/platen/';
  t.equal(linkBase('http://localhost:3000', page), 'https://images.example.com/platen');
  t.equal(linkBase('', page), 'https://images.example.com/platen');
  t.equal(linkBase('https://i.example.com', page), 'https://i.example.com');
});
