import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PasswordHasher } from '../../../core/users/passwords/password-hasher.js';

/** The time of argon2 itself: verifies a password for each request, with the parameters and concurrency of logins. */
const PASSWORD = 'alice';
const hasher = new PasswordHasher();
const credential = await hasher.hash('demo', PASSWORD);
const server = createServer(async (_, response) => {
  await hasher.verify('demo', PASSWORD, credential);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http=http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
