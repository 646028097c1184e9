import { CLIENT_KINDS, type ClientKind } from '../../connect/client-kinds.js';
import type { NewClient } from '../../connect/client-representation.js';
import type { Framework } from '../../connect/framework-pages.js';
import {
  type AppMember,
  clientIdOf,
  clientOfApp,
  hasUrl,
  InvalidAppError,
  normalizeUrl,
  postLogoutUrisOf,
  redirectUrisOf,
  requireClientId,
  requireUris,
} from '../../connect/wanted-client.js';
import type { CommandLine } from '../command-line.js';
import type { Questions } from '../prompts/questions.js';

const NO_FRAMEWORK = { id: 'none', title: 'None of these' };

const FLAGS: Readonly<Record<AppMember, string>> = {
  clientId: 'client-id',
  url: 'url',
  productionUrl: 'production-url',
  redirectUris: 'redirect-uris',
  postLogoutUris: 'post-logout-redirect-uris',
  offlineAccess: 'offline-access',
};

/**
 * Reads the new client from the options, and asks a person for missing ones.
 * @param of.isFree throws if the client ID is already used
 * @throws BootError `options_invalid`
 */
export async function promptForClient(
  line: CommandLine,
  questions: Questions,
  { known, isFree: requireFree }: { known: readonly Framework[]; isFree: (clientId: string) => Promise<void> },
): Promise<{ wanted: NewClient; framework: Framework | undefined }> {
  const { kind, framework } = await askKind(line, questions, known);
  if (line.has('wait') && kind.id === 'api') line.usageError('--wait: nobody signs in to an API', 'leave out --wait');
  const name = await questions.text('name', 'Name of the app');
  const suggestedId = clientIdOf(name);
  const clientId = await questions.text('client-id', 'Client ID', suggestedId === '' ? undefined : suggestedId);
  checkOption(line, () => requireClientId(clientId));
  await requireFree(clientId);
  const urls = hasUrl(kind) ? await askUrls(line, questions, kind, framework) : [];
  const redirectUris = kind.redirects
    ? await askUris(line, questions, 'redirectUris', redirectUrisOf(urls, framework))
    : [];
  const postLogoutUris =
    urls.length === 0 ? [] : await askUris(line, questions, 'postLogoutUris', postLogoutUrisOf(urls, framework));
  const offlineAccess = kind.redirects
    ? await questions.yesOrNo('offline-access', 'Does the app need tokens while the user is away?', false)
    : line.has('offline-access');
  const [url, productionUrl] = urls;
  const app = { kind, framework, name, clientId, url, productionUrl, redirectUris, postLogoutUris, offlineAccess };
  const rights = { groups: line.has('groups'), audiences: splitList(line.value('audience')) };
  return { framework, wanted: checkOption(line, () => clientOfApp({ ...app, ...rights })) };
}

async function askKind(line: CommandLine, questions: Questions, frameworks: readonly Framework[]) {
  const frameworkId = line.value('framework');
  if (frameworkId !== undefined) {
    const framework = await questions.choice('framework', '', frameworks);
    const kindId = line.value('kind');
    if (kindId !== undefined && kindId !== framework.kind) {
      line.usageError(`--kind: ${frameworkId} is of the kind ${framework.kind}`, 'leave out --kind');
    }
    return { framework, kind: CLIENT_KINDS.find(({ id }) => id === framework.kind) as ClientKind };
  }
  const kind = await questions.choice('kind', 'What is the app?', CLIENT_KINDS);
  const frameworksOfKind = frameworks.filter((framework) => framework.kind === kind.id);
  if (!questions.isAsking || frameworksOfKind.length === 0) return { kind, framework: undefined };
  const frameworkChoice = await questions.choice('framework', 'Which framework?', [...frameworksOfKind, NO_FRAMEWORK]);
  return { kind, framework: frameworksOfKind.find(({ id }) => id === frameworkChoice.id) };
}

async function askUrls(
  line: CommandLine,
  questions: Questions,
  kind: ClientKind,
  framework: Framework | undefined,
): Promise<readonly string[]> {
  const defaultUrl = framework?.url ?? (questions.isAsking ? kind.url : undefined);
  const url = await questions.text('url', 'URL of the app', defaultUrl);
  const developmentUrl = checkOption(line, () => normalizeUrl('url', url));
  const productionUrl = line.value('production-url');
  return productionUrl === undefined
    ? [developmentUrl]
    : [...new Set([developmentUrl, checkOption(line, () => normalizeUrl('productionUrl', productionUrl))])];
}

async function askUris(
  line: CommandLine,
  questions: Questions,
  member: 'redirectUris' | 'postLogoutUris',
  defaultUris: readonly string[],
): Promise<readonly string[]> {
  const question = member === 'redirectUris' ? 'Redirect URIs' : 'Redirect URIs after a logout';
  const uris = splitList(await questions.text(FLAGS[member], question, defaultUris.join(',')));
  return checkOption(line, () => requireUris(member, uris));
}

/** @throws BootError `options_invalid` that names the option */
function checkOption<T>(line: CommandLine, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof InvalidAppError)) throw error;
    const isUrl = error.member === 'url' || error.member === 'productionUrl';
    const message = `--${FLAGS[error.member]}: ${error.message}`;
    return isUrl ? line.usageError(message, 'use a URL such as http://localhost:3000') : line.usageError(message);
  }
}

function splitList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((one) => one !== '');
}
