// The HEALTHCHECK of the image, which has neither shell nor curl: exit code 0 while /health says UP.
import { get } from 'node:http';

const LIMIT_MS = 4_000;
const { KEYHOST_MANAGEMENT_HOST: address = '', KEYHOST_MANAGEMENT_PORT: port = '' } = process.env;
const LOOPBACK = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

const request = get(
  { host: LOOPBACK[address] ?? address, port: port || 9000, path: '/health', timeout: LIMIT_MS },
  (response) => {
    process.exitCode = response.statusCode === 200 ? 0 : 1;
    // What is DOWN can be read by `docker inspect`.
    response.pipe(process.stdout);
  },
);
request.on('timeout', () => request.destroy(new Error(`no answer in ${LIMIT_MS} ms`)));
request.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
});
