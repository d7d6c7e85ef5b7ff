/** A client of little cost: keep-alive connections in this process that read only the length of a response. */
import { connect } from 'node:net';

/** Requests `paths` over `connections` connections. Rejects unless every response is 200 and has a `Content-Length`. */
export async function askAll(
  base: string,
  connections: number,
  paths: readonly string[],
): Promise<void> {
  const { hostname, port } = new URL(base);
  let next = 0;
  const takePath = (): string | undefined => paths[next++];
  const asked = Array.from({ length: connections }, () =>
    askInTurn(hostname, Number(port), takePath),
  );
  await Promise.all(asked);
}

function askInTurn(host: string, port: number, takePath: () => string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let head = '';
    let missingBytes = 0;
    const ask = (): void => {
      const path = takePath();
      if (path === undefined) {
        socket.destroy();
        resolve();
      } else socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('end', () => reject(new Error(`The service closed the connection after ${head}`)));
    socket.on('data', (chunk: Buffer) => {
      if (missingBytes > 0) missingBytes -= chunk.byteLength;
      else {
        head += chunk.toString('latin1');
        const headBytes = head.indexOf('\r\n\r\n') + 4;
        if (headBytes < 4) return;
        const length = /^content-length: (\d+)/im.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
          socket.destroy(new Error(`The service answered ${head.slice(0, 500)}`));
          return;
        }
        missingBytes = headBytes + Number(length) - head.length;
      }
      if (missingBytes > 0) return;
      head = '';
      ask();
    });
  });
}
