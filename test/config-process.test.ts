import t from 'tap';
import { ConfigError } from '../src/config/config.ts';
import { parseConfig } from '../src/settings.ts';
import { parseSupervision } from '../src/process/config.ts';

t.test('a boolean is true or false, and nothing else', async (t) => {
  t.equal(parseConfig({}).process.portShared, false);
  t.equal(parseConfig({ PLATEN_PORT_SHARED: 'true' }).process.portShared, true);
  t.equal(parseConfig({ PLATEN_PORT_SHARED: 'false' }).process.portShared, false);
  for (const text of ['yes', '1', 'TRUE', 'constructor']) {
    t.throws(() => parseConfig({ PLATEN_PORT_SHARED: text }), ConfigError, text);
  }
});

t.test('the end waits for load balancers for a minute at most', async (t) => {
  t.equal(parseConfig({}).process.shutdownDelayMs, 0);
  t.equal(parseConfig({ PLATEN_SHUTDOWN_DELAY_MS: '60000' }).process.shutdownDelayMs, 60_000);
  t.throws(() => parseConfig({ PLATEN_SHUTDOWN_DELAY_MS: '60001' }), ConfigError);
});

t.test('systemd gets what it asks for, by the process that it means', async (t) => {
  const socket = { NOTIFY_SOCKET: '/run/systemd/notify' };
  t.equal(parseSupervision({}, 7), undefined);
  t.equal(parseSupervision({ NOTIFY_SOCKET: '' }, 7), undefined);
  t.same(parseSupervision(socket, 7), { watchdogMs: undefined });
  t.same(parseSupervision({ ...socket, WATCHDOG_USEC: '60000000' }, 7), { watchdogMs: 60_000 });
  const meant = { ...socket, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' };
  t.same(parseSupervision(meant, 7), { watchdogMs: 60_000 });
  t.same(parseSupervision(meant, 8), { watchdogMs: undefined });
  t.same(parseSupervision({ ...socket, WATCHDOG_USEC: 'soon' }, 7), { watchdogMs: undefined });
});
