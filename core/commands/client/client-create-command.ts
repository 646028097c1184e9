import { BootError } from '../../config/boot-error.js';
import { CLIENT_KINDS } from '../../connect/client-kinds.js';
import { GROUPS_SCOPE } from '../../connect/client-representation.js';
import { listFrameworks } from '../../connect/framework-pages.js';
import { type Connection, formatInstructions, formatSettings } from '../../connect/instructions.js';
import { findRunningAccess } from '../../host/management-access.js';
import type { ProcessExit } from '../../host/process-exit.js';
import { type Command, EXIT_CODES } from '../command.js';
import { type CommandLine, usageError } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { formatEntry } from '../plugin/json-edit.js';
import { promptForRealm } from '../prompts/prompt-for-realm.js';
import { NO_PROMPT, Questions } from '../prompts/questions.js';
import { fileOfRealm } from '../realm/realm-file-edit.js';
import { ADDRESS_OPTIONS, addressOf, realmsOf } from '../server/address.js';
import { askOwner } from '../server/owner-requests.js';
import { fetchFrom, readServerUrl } from '../server/requests.js';
import { createByAdminApi, signInsByAdminApi } from './admin-api-client.js';
import { ADMIN_OPTIONS, adminTokenSource } from './admin-credentials.js';
import { type SignIns, waitForSignIn } from './first-sign-in.js';
import { instructionsText } from './instructions-text.js';
import { promptForClient } from './prompt-for-client.js';
import { addToRealmFile, requireFreeNames } from './realm-file-client.js';

/** @param exit ends the process on a signal; a client that was created stays */
export function clientCreateCommand(exit: ProcessExit): Command {
  return {
    summary: 'Creates the client of an app and prints the code of the app',
    usage: '[--framework NAME] [--name NAME]',
    details: `At a terminal, the command asks for missing options. In a script, it names the missing option.

The client is written into the realm file. A running server applies the file at once. With --server, the
Admin REST API creates the client instead, with the rights of an admin or a service account.

With --wait, the command ends when somebody has signed in to the app, and says why sign-ins fail.`,
    examples: [
      'client create',
      'client create --framework express --name "My shop" --url http://localhost:3000',
      'client create --kind machine --name Nightly --server https://id.example.com --realm shop --username admin --password:env ADMIN_PASSWORD',
    ],
    options: [
      { flag: 'realm', value: 'NAME', help: 'realm of the client; default: the only realm in the realms folder' },
      { flag: 'kind', value: 'KIND', help: CLIENT_KINDS.map(({ id }) => id).join(', ') },
      { flag: 'framework', value: 'NAME', help: 'framework whose code is printed, such as express; sets the kind' },
      { flag: 'name', value: 'NAME', help: 'name of the app' },
      { flag: 'client-id', value: 'ID', help: 'client ID; default: from the name' },
      { flag: 'url', value: 'URL', help: 'URL of the app' },
      { flag: 'production-url', value: 'URL', help: 'URL at which users open the app; adds its redirect URIs' },
      { flag: 'redirect-uris', value: 'URIS', help: 'redirect URIs, separated by commas; default: from the URL' },
      {
        flag: 'post-logout-redirect-uris',
        value: 'URIS',
        help: 'redirect URIs after a logout, separated by commas; default: from the URL',
      },
      { flag: 'groups', help: 'the groups of the user in the tokens: adds the client scope groups' },
      { flag: 'offline-access', help: 'refresh tokens that outlive the session: the scope offline_access' },
      { flag: 'audience', value: 'IDS', help: 'client IDs of APIs that accept its tokens, separated by commas' },
      { flag: 'wait', help: 'waits for the first sign-in to the app; requires a running server' },
      { flag: 'wait-timeout', value: 'SECONDS', default: '600', help: 'how long --wait waits' },
      ...ADMIN_OPTIONS,
      NO_PROMPT,
    ],
    serverOptions: ADDRESS_OPTIONS,
    notes: EXIT_CODES,
    run: (line) => createClient(line, exit),
  };
}

/** @throws BootError `options_invalid`, `realm_invalid`, `sign_in_failed` */
async function createClient(line: CommandLine, exit: ProcessExit): Promise<void> {
  line.requireAtMostWords(0);
  const questions = new Questions(line);
  const host = line.server();
  const givenServer = line.value('server');
  const server = givenServer === undefined ? undefined : readServerUrl(line, givenServer);
  // Check the options before asking any question.
  const seconds = secondsOf(line);
  const access = server === undefined ? await findRunningAccess(host.dataDir) : undefined;
  if (line.has('wait') && server === undefined && access === undefined) {
    line.usageError('--wait requires a running server', 'start the server, or leave out --wait');
  }
  const realms = server === undefined && line.value('realm') === undefined ? await realmsOf(host.realmsDir) : [];
  const realm = await promptForRealm(line, questions, realms);
  if (server !== undefined) await requireRealm(server, realm);
  else await fileOfRealm(realm, host.realmsDir);
  const isFree = async (clientId: string) => {
    if (server !== undefined) return;
    const { document } = await fileOfRealm(realm, host.realmsDir);
    await requireFreeNames({ clientId, groups: line.has('groups') }, { realm, access, document });
  };
  const { wanted, framework } = await promptForClient(line, questions, { known: await listFrameworks(), isFree });
  const waitIfWanted = async (read: () => Promise<SignIns>) => {
    if (wanted.kind.id === 'api' || !(line.has('wait') || questions.isAsking)) return;
    const before = await read();
    if (!(await questions.yesOrNo('wait', 'Wait for the first sign-in?', true))) return;
    await waitForSignIn(wanted.clientId, read, { before, seconds, isMachine: wanted.kind.id === 'machine', exit });
  };
  if (server !== undefined) {
    const token = await adminTokenSource(line, questions, server);
    const api = `${server}/admin/realms/${encodeURIComponent(realm)}`;
    const { client, secret, path } = await createByAdminApi(wanted, { api, realm, token: await token() });
    printResult(
      `Created the client ${wanted.clientId} in the realm ${realm}.`,
      { server, realm, client: wanted, secret },
      framework,
    );
    const scope = wanted.groups ? `"clientScopes": [${formatEntry(GROUPS_SCOPE)}],\n` : '';
    process.stdout.write(
      `\nIf a realm file defines ${realm}, add the client to it. The realm keeps the secret:\n\n${scope}"clients": [${formatEntry(client)}]\n`,
    );
    return waitIfWanted(async () => signInsByAdminApi(`${api}${path}`, await token()));
  }
  // The server may have been started or stopped while the questions were answered.
  const running = await findRunningAccess(host.dataDir);
  const addition = await addToRealmFile(wanted, { realm, dir: host.realmsDir, access: running });
  const { file, line: lineNumber, column, secret, server: state } = addition;
  const position = `${displayPath(file)}:${lineNumber}:${column}`;
  const connection = { server: await addressOf(host), realm, client: wanted, secret };
  printResult(
    `Created the client ${wanted.clientId} in ${position}. ${SERVER_STATE_SENTENCES[state]}`,
    connection,
    framework,
  );
  if (secret !== undefined) {
    process.stdout.write(
      `\nThe realm file contains the client secret. Delete it there before you publish the file: the realm keeps it.\n`,
    );
  }
  if (running === undefined || state !== 'applied') {
    if (!line.has('wait')) return;
    const { why, hint } = WAIT_FAILURES[state === 'applied' ? 'stopped' : state];
    throw new BootError('sign_in_failed', `--wait: the client is in the realm file, but ${why}`, { hint });
  }
  await waitIfWanted(
    () => askOwner(running, 'GET', '/sign-ins', { realm, client: wanted.clientId }) as Promise<SignIns>,
  );
}

/** @throws BootError `options_invalid` */
async function requireRealm(server: string, realm: string): Promise<void> {
  const response = await fetchFrom(`${server}/realms/${encodeURIComponent(realm)}`);
  await response.body?.cancel();
  if (response.status === 404) usageError(`${server} has no realm ${realm}`, 'correct --realm or --server');
}

/** @throws BootError `options_invalid` */
function secondsOf(line: CommandLine): number {
  const timeout = line.value('wait-timeout') ?? '600';
  const seconds = /^\d{1,6}$/.test(timeout) ? Number(timeout) : 0;
  return seconds > 0 ? seconds : line.usageError(`--wait-timeout: "${timeout}" is not a number of seconds`);
}

const SERVER_STATE_SENTENCES = {
  applied: 'The server has applied it.',
  waiting: 'The server has not applied it yet: see its log.',
  elsewhere: 'The running server does not read this file.',
  stopped: 'It takes effect when you start the server.',
} as const;

/** The reasons why users cannot sign in to the app yet, with hints. */
const WAIT_FAILURES = {
  waiting: { why: 'the server has not applied it', hint: 'look at the log of the server' },
  elsewhere: { why: 'the running server does not read this file', hint: 'use --server, or the admin console' },
  stopped: { why: 'no server runs', hint: 'start the server, and sign in to the app' },
} as const;

function printResult(
  sentence: string,
  connection: Connection,
  framework: Parameters<typeof formatInstructions>[1],
): void {
  const steps = instructionsText(formatInstructions(connection, framework));
  process.stdout.write(`${sentence}\n\n${formatSettings(connection)}\n${steps}`);
}
