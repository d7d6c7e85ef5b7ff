/** The least that a server can do: uWebSockets.js that sends one file, and one that answers 304 to everything. */
import { readFileSync } from 'node:fs';
import { App, us_socket_local_port } from 'uWebSockets.js';

const file = readFileSync(process.argv[2] ?? '');

App()
  .get('/picture', (response) => {
    response.cork(() => {
      response.writeHeader('Content-Type', 'image/jpeg').end(file);
    });
  })
  .get('/not-modified', (response) => {
    response.cork(() => {
      response.writeStatus('304 Not Modified').writeHeader('ETag', '"bare"').endWithoutBody();
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('There is no free port.');
    process.send?.(us_socket_local_port(socket));
  });

process.on('disconnect', () => process.exit(0));
