import { BootError } from '../../config/boot-error.js';
import { findRunningAccess, type ManagementAccess } from '../../host/management-access.js';
import type { ProcessExit } from '../../host/process-exit.js';
import { MASTER_REALM } from '../../model/realm.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { addressOf } from '../server/address.js';
import { askOwner } from '../server/owner-requests.js';
import { openPage } from '../token/open-browser.js';
import { removeAbandonedPages, writeLoginPage } from './login-page.js';

/** @param exit ends the process on a signal, after removing the login page */
export function consoleCommand(exit: ProcessExit): Command {
  return {
    summary: 'Opens the admin console signed in, while the server is tried out on this machine',
    usage: '[--realm NAME]',
    details: `An administrator of the realm master is signed in to the browser, without a password. The login is valid for
60 seconds, and once. Only a user of this machine who can read the data directory can get one.

This works while start-dev runs on a loopback address. Elsewhere, sign in to the admin console at /admin/.`,
    examples: ['console', 'console --realm shop', 'console --print'],
    options: [
      { flag: 'realm', value: 'NAME', default: MASTER_REALM, help: 'realm that the admin console shows' },
      { flag: 'username', value: 'NAME', help: 'administrator of master who is signed in; default: the first one' },
      { flag: 'print', help: 'only print the address, which signs in once' },
    ],
    serverOptions: ['data-dir'],
    notes: EXIT_CODES,
    run: (line) => openAdminConsole(line, exit),
  };
}

interface IssuedLogin {
  readonly id: string;
  readonly key: string;
  readonly path: string;
  readonly username: string;
  readonly expiresIn: number;
}

const POLL_MS = 500;
const PRINT_COMMAND = 'npx keyhost console --print';

/** @throws BootError `server_unreachable`, `server_refused`, `sign_in_failed` */
async function openAdminConsole(line: CommandLine, exit: ProcessExit): Promise<void> {
  line.requireAtMostWords(0);
  const host = line.server();
  const access = await findRunningAccess(host.dataDir);
  if (access === undefined) {
    throw new BootError('server_unreachable', `no running server uses the data directory ${host.dataDir}`, {
      hint: 'start the server with npx keyhost start-dev, or set --data-dir to its folder',
    });
  }
  const server = await addressOf(host);
  const username = line.value('username');
  const query = { realm: line.value('realm') ?? MASTER_REALM, ...(username === undefined ? {} : { username }) };
  const login = (await askOwner(access, 'POST', '/console', query, (why) => refusalError(why, access))) as IssuedLogin;
  const address = `${server}${login.path}`;
  if (line.has('print')) {
    process.stderr.write(`Signs in ${login.username} once, within ${login.expiresIn} seconds:\n`);
    process.stdout.write(`${address}?key=${login.key}\n`);
    return;
  }
  await removeAbandonedPages(host.dataDir, Date.now());
  // Other users can read the arguments of programs. So the browser gets the address of a file that only its owner can
  // read.
  const page = await writeLoginPage(host.dataDir, address, login.key);
  const removePageOnExit = exit.onImmediateExit(page.removeNow, ['SIGHUP']);
  try {
    process.stderr.write(
      `Opening the admin console as ${login.username}. Waiting for the browser, for at most ${login.expiresIn} seconds.\nIf no page opens, stop this command and run ${PRINT_COMMAND}.\n`,
    );
    await Promise.race([waitUntilUsed(access, login), openPage(page.url).then(failWithoutBrowser)]);
  } finally {
    // A page that cannot be removed is harmless, since its login was used or expires.
    await page.remove().catch(() => {});
    removePageOnExit();
  }
  process.stdout.write(`Signed in to ${server}/admin/desk/\n`);
}

/** @throws BootError `sign_in_failed` */
function failWithoutBrowser(): never {
  throw new BootError('sign_in_failed', 'no browser can be opened here', {
    hint: `open the address that ${PRINT_COMMAND} prints`,
  });
}

/** Resolves when the browser has signed in. @throws BootError `sign_in_failed` on a timeout */
async function waitUntilUsed(access: ManagementAccess, { id }: IssuedLogin): Promise<void> {
  for (;;) {
    const { state } = (await askOwner(access, 'GET', `/console/${id}`)) as { state: string };
    if (state === 'used') return;
    if (state === 'expired') {
      throw new BootError('sign_in_failed', 'no browser has opened the login', {
        hint: `open the address that ${PRINT_COMMAND} prints`,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function refusalError(reason: string, { server }: ManagementAccess): BootError {
  return new BootError('server_refused', `cannot sign in: ${reason}`, {
    hint: `sign in with your password at ${server}/admin/`,
  });
}
