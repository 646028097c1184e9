import { connect } from 'node:net';

/** Sends bytes unchanged; resolves with the answer when the connection ends. */
export function rawRequest(url: string, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('close', done);
    socket.on('error', done);
  });
}

/** A GET with any header lines that closes its connection. */
export function rawGet(url: string, path: string, ...lines: string[]): Promise<string> {
  const host = lines.some((line) => /^host:/i.test(line)) ? [] : ['Host: 127.0.0.1'];
  return rawRequest(url, [`GET ${path} HTTP/1.1`, ...host, ...lines, 'Connection: close', '', ''].join('\r\n'));
}

export function rawStatus(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

export function rawBody(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}
