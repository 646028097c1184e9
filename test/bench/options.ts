import { parseArgs } from 'node:util';
import type { Login, NamedServer } from './compare/oidc-server.js';

export const HELP = `npm run bench -- [options]: Keyhost as it is shipped, beside its peers, in alternating runs

What is measured:
  --only A,B              measurements whose name contains one of these words; --list tells the names
  --list                  lists them, and about how long each takes
  --quick                 one short run each, to see that everything works
  --runs N                alternating runs (default 5)
  --seconds N             length of a run (default 3)
  --node PATH[,PATH…]     programs of Node that host and peers run on, one after the other (default: this one)

Beside another commit of this repository:
  --against REV           builds that commit and measures it and this checkout by turns, with the spread of the ratios: CPU
                          of the server for a request, start and memory. A ratio over 1.03 is reported as missed

Beside a server that is running, with the same load in the same run:
  --compare NAME=ISSUER   any OpenID Connect server by its issuer, such as keycloak=http://127.0.0.1:8180/realms/bench;
                          may be given again, for another one
  --compare-client ID:SECRET
                          a client that may use client credentials, introspection and the password grant there
  --compare-user NAME:PASSWORD
                          a user for the password grant and refresh
  --compare-pid PID       its process: its CPU is measured, with that of its children; without it the table has throughput
                          and latency alone. May be given again, for a process of its database
                          With several servers each of these three says which it is of: NAME=ID:SECRET, NAME=PID

What comes of it:
  --table                 prints a Markdown table instead of text
  --markdown FILE         writes that table into a file
  --write FILE            puts it in place of the one between <!-- bench:begin --> and <!-- bench:end --> of a file
  --json FILE             writes all figures
  --help

Figures are on standard output, progress with the time left on standard error. Linux only: CPU and memory are read in /proc.
Exit code: 0 it is done, whether or not goals are met; 1 something could not be measured; 2 an option is wrong.
`;

export interface BenchOptions {
  readonly help: boolean;
  readonly list: boolean;
  readonly quick: boolean;
  readonly runs: number;
  readonly seconds: number;
  /** Parts of names; empty for all measurements. */
  readonly only: readonly string[];
  /** Programs; empty for the one that runs the bench. */
  readonly nodes: readonly string[];
  readonly compared: readonly NamedServer[];
  /** A revision of this repository; undefined if peers are measured. */
  readonly against: string | undefined;
  readonly table: boolean;
  readonly markdown: string | undefined;
  readonly write: string | undefined;
  readonly json: string | undefined;
}

/** An invalid option. */
export class OptionError extends Error {}

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true, default: [] as string[] } as const;

/** @throws OptionError */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const values = parsed(argv);
  if (values.quick && (values.runs ?? values.seconds) !== undefined) {
    throw new OptionError('--quick says itself how often and how long: leave --runs and --seconds out');
  }
  if (values.against !== undefined && values.compare.length > 0) {
    throw new OptionError('--against measures two commits, and --compare other servers: leave one out');
  }
  return {
    help: values.help,
    list: values.list,
    quick: values.quick,
    runs: values.quick ? 1 : positive('--runs', values.runs ?? '5', true),
    seconds: values.quick ? 1 : positive('--seconds', values.seconds ?? '3', false),
    only: wordsOf('--only', values.only),
    nodes: wordsOf('--node', values.node),
    compared: comparedServers(values),
    against: values.against,
    table: values.table,
    markdown: values.markdown,
    write: values.write,
    json: values.json,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: flag,
        list: flag,
        quick: flag,
        table: flag,
        runs: text,
        seconds: text,
        only: text,
        node: text,
        against: text,
        markdown: text,
        write: text,
        json: text,
        compare: texts,
        'compare-client': texts,
        'compare-user': texts,
        'compare-pid': texts,
      },
    }).values;
  } catch (error) {
    // Node's own message names the option.
    throw new OptionError((error as Error).message, { cause: error });
  }
}

function positive(name: string, word: string, isWhole: boolean): number {
  const number = Number(word);
  if (word.trim() !== '' && number > 0 && number < 10_000 && (!isWhole || Number.isInteger(number))) return number;
  throw new OptionError(`${name} ${word}: it takes a ${isWhole ? 'whole ' : ''}number above 0`);
}

function wordsOf(name: string, list: string | undefined): string[] {
  if (list === undefined) return [];
  const words = list.split(',').map((word) => word.trim());
  if (words.includes('')) throw new OptionError(`${name} ${list}: a word is missing`);
  return words;
}

function comparedServers(values: ReturnType<typeof parsed>): NamedServer[] {
  const places = values.compare.map((word) => {
    const [, name = '', url = ''] = /^([\w.-]+)=(https?:\/\/.+)$/.exec(word) ?? [];
    if (!URL.canParse(url)) throw new OptionError(`--compare ${word}: it takes a name and an issuer, NAME=http://…`);
    return { name, url };
  });
  const names = places.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index || name === 'Keyhost');
  if (twice !== undefined) throw new OptionError(`--compare ${twice}=…: another server has that name`);
  const client = loginsOf('--compare-client', values['compare-client'], names);
  const user = loginsOf('--compare-user', values['compare-user'], names);
  const pids = ofServers('--compare-pid', values['compare-pid'], names);
  return places.map((place) => ({
    ...place,
    client: client(place.name),
    user: user(place.name),
    pids: pids.filter(({ server }) => server === place.name).map(({ word }) => positivePid(word)),
  }));
}

interface OfServer {
  readonly server: string;
  readonly word: string;
}

/** Words prefixed with the name of a server, which may be omitted if there is only one. */
function ofServers(option: string, words: readonly string[], names: readonly string[]): OfServer[] {
  return words.map((word) => {
    const named = names.find((name) => word.startsWith(`${name}=`));
    const [only] = names;
    if (named !== undefined) return { server: named, word: word.slice(named.length + 1) };
    if (only !== undefined && names.length === 1) return { server: only, word };
    throw new OptionError(
      only === undefined
        ? `${option} says something of a server that --compare names, and there is none`
        : `${option}: say which server it is of, such as ${only}=…`,
    );
  });
}

function loginsOf(option: string, words: readonly string[], names: readonly string[]) {
  const logins = ofServers(option, words, names).map(({ server, word }) => ({ server, login: loginOf(option, word) }));
  return (name: string) => logins.find(({ server }) => server === name)?.login;
}

/** The value is not printed, since it may be the secret. */
function loginOf(option: string, word: string): Login {
  const colon = word.indexOf(':');
  if (colon < 1 || colon === word.length - 1)
    throw new OptionError(`${option}: it takes a name and a secret, NAME:SECRET`);
  return { name: word.slice(0, colon), password: word.slice(colon + 1) };
}

function positivePid(word: string): number {
  const pid = Number(word);
  if (!Number.isInteger(pid) || pid < 1)
    throw new OptionError(`--compare-pid ${word}: it takes the number of a process`);
  return pid;
}
