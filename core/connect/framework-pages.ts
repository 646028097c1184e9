import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';

/** The folder of the documentation's pages about frameworks. The commands print the same pages that the site shows. */
const FOLDER = join(HOST_DIR, 'core', 'docs', 'how-to', 'frameworks');

/** A page about a framework. Its front matter has the properties of the app and of its client. */
export interface Framework {
  readonly id: string;
  /** The name and the library. */
  readonly title: string;
  readonly name: string;
  /** ID of a client kind. */
  readonly kind: string;
  readonly library: string;
  /** URL of the app in the page. */
  readonly url: string;
  /** Paths below the app's URL, or whole URIs. */
  readonly redirects: readonly string[];
  readonly postLogout: readonly string[];
  /** True if the library sends a PKCE challenge, so that the client may require one. */
  readonly sendsPkce: boolean;
  /** True for an app without a secret, even if its kind usually has one. */
  readonly isPublic: boolean;
  /** True if the app reads the groups of the user. */
  readonly groups: boolean;
  /** True if the app reads the realm roles of the user from the claim `roles`. */
  readonly roles: boolean;
  /** True if the app accepts only access tokens that are addressed to itself. */
  readonly ownAudience: boolean;
  /** The client ID in the page. The client secret in the page is this ID with the suffix `-secret`. */
  readonly example: string;
  /** How the app was tested: `test`, a date, or `no`. */
  readonly tried: string;
  /** The Markdown text after the front matter. */
  readonly page: string;
}

let cachedFrameworks: readonly Framework[] | undefined;

/** Returns all frameworks in the order of their titles. The pages are read once, because they are part of the host. */
export async function listFrameworks(): Promise<readonly Framework[]> {
  cachedFrameworks ??= await readFrameworks();
  return cachedFrameworks;
}

async function readFrameworks(): Promise<readonly Framework[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));
  const parsedPages = await Promise.all(
    names.map(async (name) => parseFramework(basename(name, '.md'), await readFile(join(FOLDER, name), 'utf8'))),
  );
  return parsedPages.sort((a, b) => a.title.localeCompare(b.title));
}

/**
 * Parses a page.
 * @throws Error for a page that lacks a property of the client
 */
export function parseFramework(id: string, text: string): Framework {
  const [, head = '', page = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const values = new Map([...head.matchAll(/^([a-z-]+): *(.*?) *$/gm)].map(([, key = '', value = '']) => [key, value]));
  const requiredValue = (key: string): string => {
    const value = values.get(key);
    if (value === undefined) throw new Error(`the page of ${id} does not say ${key}`);
    return value;
  };
  const listValue = (key: string) => (values.get(key) ?? '').split(' ').filter((word) => word !== '');
  const flagValue = (key: string) => values.get(key) === 'true';
  return {
    id,
    name: requiredValue('name'),
    title: `${requiredValue('name')}: ${requiredValue('library')}`,
    kind: requiredValue('kind'),
    library: requiredValue('library'),
    url: requiredValue('url'),
    redirects: listValue('redirect'),
    postLogout: values.has('post-logout') ? listValue('post-logout') : ['', '/'],
    sendsPkce: requiredValue('pkce') === 'true',
    isPublic: flagValue('public'),
    groups: flagValue('groups'),
    roles: flagValue('roles'),
    ownAudience: flagValue('own-audience'),
    example: requiredValue('client'),
    tried: requiredValue('tried'),
    page,
  };
}
