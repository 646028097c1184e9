// The HEALTHCHECK of the image, which has neither shell nor curl: exits with 0 while /health reports UP.
import { get } from 'node:http';

const LIMIT_MS = 4_000;
const { KEYHOST_MANAGEMENT_HOST: address = '', KEYHOST_MANAGEMENT_PORT: port = '' } = process.env;
const LOOPBACK = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

const request = get(
  { host: LOOPBACK[address] ?? address, port: port || 9000, path: '/health', timeout: LIMIT_MS },
  (response) => {
    process.exitCode = response.statusCode === 200 ? 0 : 1;
    // The answer names the failed checks; `docker inspect` shows it.
    response.pipe(process.stdout);
  },
);
request.on('timeout', () => request.destroy(new Error(`no answer in ${LIMIT_MS} ms`)));
request.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
