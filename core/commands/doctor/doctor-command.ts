import { OPTIONS } from '../../config/options/option-table.js';
import { findRunningAccess } from '../../host/management-access.js';
import { systemClock } from '../../model/clock.js';
import type { Command } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { checkCertificates } from './certificates.js';
import { checkClock } from './clock.js';
import type { Finding } from './finding.js';
import { checkHostname } from './hostname.js';
import { checkMail } from './mail.js';
import { checkNode } from './node.js';
import { checkPorts } from './ports.js';
import { checkDatabase, checkDisk } from './storage.js';

export const doctor: Command = {
  summary: 'Checks the server and its surroundings, and says what to change',
  usage: '[--production] [options of start]',
  details: `Checks Node.js, ports, hostname and proxy, TLS, clock, database, mail servers and disk. Give it the options that you
start the server with. It changes nothing and sends no email. It connects to your own server, to its database and mail servers, and to the server
of --clock-from.`,
  examples: [
    'doctor',
    'doctor --production --hostname https://id.example.com --proxy-headers xforwarded',
    'doctor --clock-from https://www.example.com --json',
  ],
  options: [
    { flag: 'production', help: 'checks what keyhost start requires' },
    { flag: 'clock-from', value: 'URL', help: 'server whose time the clock is compared with' },
    { flag: 'json', help: 'findings as JSON' },
  ],
  serverOptions: OPTIONS.map(({ flag }) => flag),
  notes: 'Exit code: 0 nothing must be changed, 1 something must be changed',
  run: runChecks,
};

/** @throws BootError `options_invalid` with every problem of the options */
async function runChecks(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const reference = line.value('clock-from');
  if (reference !== undefined && !/^https?:\/\//.test(URL.canParse(reference) ? reference : '')) {
    line.usageError(
      `--clock-from: "${reference}" is not the URL of a server`,
      'use a URL such as https://www.example.com',
    );
  }
  const options = line.server(line.has('production') ? 'start' : 'start-dev');
  const access = await findRunningAccess(options.dataDir);
  const now = systemClock.now();
  const findings = [
    ...checkNode(process.version, now),
    ...(await checkPorts(options, access)),
    ...(await checkHostname(options, access)),
    ...checkCertificates(options, now),
    ...(await checkClock(now, reference)),
    ...(await checkDatabase(options, (store) => checkMail(options, store))),
    ...checkDisk(options),
  ];
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (line.has('json')) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else process.stdout.write(`${findings.map(formatFinding).join('')}\n${formatCount(problems, 'problem')}\n`);
  if (problems > 0) process.exitCode = 1;
}

function formatFinding({ check, state, text, fix }: Finding): string {
  const prefix = `${state.padEnd(8)} ${check.padEnd(9)}`;
  return `${prefix} ${text}\n${fix === undefined ? '' : `${' '.repeat(19)}→ ${fix}\n`}`;
}

function formatCount(number: number, noun: string): string {
  return `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`;
}
