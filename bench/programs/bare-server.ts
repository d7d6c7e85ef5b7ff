/** The minimum of a server: uWebSockets.js that sends one file, answers 304, and refuses everything else. */
import { readFileSync } from 'node:fs';
import { loadAddon } from '../../src/http/native.ts';

/** As long as a refusal of the service. */
const refusal = JSON.stringify({ error: 'x'.repeat(160) });
const file = readFileSync(process.argv[2] ?? '');
const { App, us_socket_local_port } = loadAddon().addon;

App()
  .get('/image', (response) => {
    response.cork(() => {
      response.writeHeader('Content-Type', 'image/jpeg').end(file);
    });
  })
  .get('/not-modified', (response) => {
    response.cork(() => {
      response.writeStatus('304 Not Modified').writeHeader('ETag', '"bare"').endWithoutBody();
    });
  })
  .get('/*', (response) => {
    response.cork(() => {
      response.writeStatus('503 Service Unavailable').writeHeader('Retry-After', '1').end(refusal);
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('There is no free port.');
    process.send?.(us_socket_local_port(socket));
  });

process.on('disconnect', () => process.exit(0));
