import { adminHeaders } from '../admin/admin-token.js';
import type { HttpClient } from '../http-client.js';
import type { Server } from '../processes.js';

interface Row {
  readonly name: string;
  /** The query of `GET users`, or of `GET users/count`. */
  readonly query: Readonly<Record<string, string>>;
}

interface Kind {
  readonly name: string;
  /** The maximum median in milliseconds. */
  readonly most: number;
  readonly path: 'users' | 'users/count';
  readonly rows: readonly Row[];
}

const TIMES = 40;
const PAGE = 21;

const of = (name: string, search: string): Row => ({ name, query: { search } });

/** Searches of a realm with users from `people.ts`. @param username that of a user in the middle, with its number */
function kinds({ username, number }: Middle): readonly Kind[] {
  return [
    {
      name: 'start of a text',
      most: 20,
      path: 'users',
      rows: [
        of('a username, but for its last digit', username.slice(0, -1)),
        of('a username', username),
        of('an email address', `${username}@ex`),
        of('a first name of a tenth of all', 'pete'),
        of('a last name of one in 10,000', 'zimmermann 51'),
        of('a last name of few', 'quixo'),
        of('a last name of the last tenth', 'letzt'),
        of('one letter', 'm'),
        of('the commonest letter', 'u'),
        of('a letter of few', 'q'),
        of('two letters', 'mü'),
        of('an umlaut', 'ö'),
        of('upper case', 'MÜLLER'),
        of('no hit', 'xqj'),
        of('no hit, two letters', 'xq'),
      ],
    },
    {
      name: 'any part',
      most: 150,
      path: 'users',
      rows: [
        of('digits of a username', `*${number}*`),
        of('an email address', `*${number}@ex*`),
        of('a first name of a tenth of all', '*ete*'),
        of('a last name of one in 10,000', '*mann 51*'),
        of('a last name of few', '*uixot*'),
        of('a last name of the last tenth', '*etzte*'),
        of('one letter', '*z*'),
        of('the commonest letter', '*e*'),
        of('a letter of few', '*q*'),
        of('two letters', '*mm*'),
        of('an umlaut', '*ü*'),
        of('upper case', '*ÜLLE*'),
        of('no hit', '*xqj*'),
        of('no hit, two letters', '*xq*'),
        of('two words', '*ürg* *öztü*'),
        { name: 'the username by its own parameter', query: { username: number } },
        { name: 'the email address by its own parameter', query: { email: `${number}@` } },
        { name: 'both names by their own parameters', query: { firstName: 'ürg', lastName: 'ÖZT' } },
      ],
    },
    {
      name: 'count',
      most: 50,
      path: 'users/count',
      rows: [
        { name: 'all', query: {} },
        of('a first name of a tenth of all', 'pete'),
        of('a last name of few', '*uixot*'),
        of('one letter', 'm'),
        of('the commonest letter', '*e*'),
        of('two letters', '*mm*'),
        of('an umlaut', '*ü*'),
        of('no hit', '*xqj*'),
      ],
    },
  ];
}

/** A user in the middle of the list, with the digits of the username. */
export interface Middle {
  readonly username: string;
  readonly number: string;
}

/**
 * Prints the times of an admin's searches, one at a time: pages of the admin console, and counts.
 * @param realm has users from `people.ts`
 */
export async function tellSearches(
  { server, client, realm, middle }: { server: Server; client: HttpClient; realm: string; middle: Middle },
  { say, print }: { say: (text: string) => void; print: (text: string) => void },
): Promise<void> {
  print(
    `${'search of users'.padEnd(70)}${['p50 ms', 'p95 ms', 'found', 'goal'].map((head) => head.padStart(12)).join('')}`,
  );
  for (const { name, most, path, rows } of kinds(middle)) {
    for (const row of rows) {
      say(`${name}: ${row.name}`);
      const headers = await adminHeaders(server);
      const page: Record<string, string> =
        path === 'users' ? { first: '0', max: String(PAGE), briefRepresentation: 'true' } : {};
      const url = `${server.url}/admin/realms/${realm}/${path}?${new URLSearchParams({ ...row.query, ...page })}`;
      const first = JSON.parse(await client.ok(url, { headers })) as unknown;
      const durations: number[] = [];
      for (let time = 0; time < TIMES; time += 1) {
        const began = performance.now();
        await client.ok(url, { headers });
        durations.push(performance.now() - began);
      }
      durations.sort((a, b) => a - b);
      const at = (share: number) => durations[Math.floor(TIMES * share)] ?? Number.NaN;
      const found = Array.isArray(first) ? `${first.length}${first.length === PAGE ? '+' : ''}` : String(first);
      const goal = `≤ ${most} ${at(0.5) <= most ? 'met' : 'missed'}`;
      const figures = [at(0.5).toFixed(1), at(0.95).toFixed(1), found, goal].map((text) => text.padStart(12)).join('');
      const asked = Object.entries(row.query).map((member) => member.join('='));
      print(`${`${name}: ${row.name} (${asked.join('&')})`.padEnd(70)}${figures}`);
    }
  }
}
