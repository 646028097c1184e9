import type { CommandLine } from '../command-line.js';
import type { Questions } from '../prompts/questions.js';
import { CLIENT_KINDS, type ClientKind } from './client-kinds.js';
import type { WantedClient } from './client-representation.js';
import type { Framework } from './framework-pages.js';

/** RFC 8252 §7.3: a native app listens at any port of the loopback address. */
const LOOPBACK_REDIRECT = 'http://127.0.0.1/callback';
const NO_FRAMEWORK = { id: 'none', title: 'None of these' };

/** The client that the options and the answers of a person describe. @throws BootError `options_invalid` */
export async function wantedClient(
  line: CommandLine,
  questions: Questions,
  known: readonly Framework[],
): Promise<{ wanted: WantedClient; framework: Framework | undefined }> {
  const { kind, framework } = await kindOf(line, questions, known);
  const name = await questions.text('name', 'Name of the app');
  const slug = slugOf(name);
  const clientId = await questions.text('client-id', 'Client ID', slug === '' ? undefined : slug);
  if (!/^[\w.:/-]+$/.test(clientId)) {
    line.misused(`--client-id: "${clientId}" has other characters than letters, digits and . _ : / -`);
  }
  const url = kind.redirects && kind.id !== 'native' ? await urlOf(line, questions, kind, framework) : undefined;
  const redirectUris = kind.redirects ? await urisOf(line, questions, 'redirect-uris', redirects(url, framework)) : [];
  const postLogoutUris =
    url === undefined
      ? []
      : await urisOf(line, questions, 'post-logout-redirect-uris', below(url, framework?.postLogout ?? ['', '/']));
  const isPublic = framework?.isPublic || kind.isPublic;
  return {
    framework,
    wanted: {
      ...{ kind, clientId, name, url, redirectUris, postLogoutUris, isPublic },
      // A library that sends no challenge could not sign in where one is required.
      requiresPkce: framework?.sendsPkce ?? (kind.redirects && kind.isPublic),
      groups: framework?.groups === true || line.has('groups'),
      roles: framework?.roles === true,
      audiences: [...(framework?.ownAudience ? [clientId] : []), ...list(line.value('audience'))],
    },
  };
}

async function kindOf(line: CommandLine, questions: Questions, known: readonly Framework[]) {
  const named = line.value('framework');
  if (named !== undefined) {
    const framework = await questions.choice('framework', '', known);
    const wanted = line.value('kind');
    if (wanted !== undefined && wanted !== framework.kind) {
      line.misused(`--kind: ${named} is of the kind ${framework.kind}`, 'leave out --kind');
    }
    return { framework, kind: CLIENT_KINDS.find(({ id }) => id === framework.kind) as ClientKind };
  }
  const kind = await questions.choice('kind', 'What is the app?', CLIENT_KINDS);
  const fitting = known.filter((framework) => framework.kind === kind.id);
  if (!questions.isAsking || fitting.length === 0) return { kind, framework: undefined };
  const chosen = await questions.choice('framework', 'Which framework?', [...fitting, NO_FRAMEWORK]);
  return { kind, framework: fitting.find(({ id }) => id === chosen.id) };
}

async function urlOf(
  line: CommandLine,
  questions: Questions,
  kind: ClientKind,
  framework: Framework | undefined,
): Promise<string> {
  const standard = framework?.url ?? (questions.isAsking ? kind.url : undefined);
  const given = await questions.text('url', 'URL of the app', standard);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    return line.misused(`--url: "${given}" is not the URL of an app`, 'use a URL such as http://localhost:3000');
  }
  return url.href.replace(/\/+$/, '');
}

function redirects(url: string | undefined, framework: Framework | undefined): readonly string[] {
  if (url === undefined) return framework?.redirects ?? [LOOPBACK_REDIRECT];
  return below(url, framework?.redirects ?? ['/*']);
}

function below(url: string, paths: readonly string[]): string[] {
  return paths.map((path) => (/^(\/|$)/.test(path) ? `${url}${path}` : path));
}

async function urisOf(
  line: CommandLine,
  questions: Questions,
  flag: string,
  standard: readonly string[],
): Promise<string[]> {
  const question = flag === 'redirect-uris' ? 'Redirect URIs' : 'Redirect URIs after a logout';
  const uris = list(await questions.text(flag, question, standard.join(',')));
  for (const uri of uris) {
    // RFC 6749 §3.1.2: absolute, and without a fragment.
    if (!URL.canParse(uri) || uri.includes('#')) {
      line.misused(`--${flag}: "${uri}" is not an absolute URI without a fragment`);
    }
  }
  return uris;
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
}
