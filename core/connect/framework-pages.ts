import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HOST_DIR } from '../config/host-folder.js';

/** The documentation's pages about frameworks; the command line prints the same content as the site. */
const FOLDER = join(HOST_DIR, 'core', 'docs', 'how-to', 'frameworks');

/** The front matter of a page: the properties of a client for this framework, and of the app. */
export interface Framework {
  readonly id: string;
  /** Name and library. */
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
  /** The library sends a PKCE challenge, so that the client may require one. */
  readonly sendsPkce: boolean;
  /** True for an app without a secret, even if its kind usually has one. */
  readonly isPublic: boolean;
  /** The app reads the groups of the user. */
  readonly groups: boolean;
  /** The app reads the realm roles of the user from the claim `roles`. */
  readonly roles: boolean;
  /** The app accepts only access tokens for itself. */
  readonly ownAudience: boolean;
  /** The client ID in the page; its secret is the same with the suffix `-secret`. */
  readonly example: string;
  /** `test`, a date, or `no`: whether the app was tried out. */
  readonly tried: string;
  /** The page after its front matter. */
  readonly page: string;
}

let all: readonly Framework[] | undefined;

/** All frameworks by name, read once because they are part of the host. */
export async function frameworks(): Promise<readonly Framework[]> {
  all ??= await readAll();
  return all;
}

async function readAll(): Promise<readonly Framework[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'));
  const read = await Promise.all(
    names.map(async (name) => frameworkOf(basename(name, '.md'), await readFile(join(FOLDER, name), 'utf8'))),
  );
  return read.sort((one, other) => one.title.localeCompare(other.title));
}

/** @throws Error for a page that lacks a property of the client */
export function frameworkOf(id: string, text: string): Framework {
  const [, head = '', page = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const values = new Map([...head.matchAll(/^([a-z-]+): *(.*?) *$/gm)].map(([, key = '', value = '']) => [key, value]));
  const required = (key: string): string => {
    const value = values.get(key);
    if (value === undefined) throw new Error(`the page of ${id} does not say ${key}`);
    return value;
  };
  const list = (key: string) => (values.get(key) ?? '').split(' ').filter((one) => one !== '');
  const flag = (key: string) => values.get(key) === 'true';
  return {
    id,
    name: required('name'),
    title: `${required('name')}: ${required('library')}`,
    kind: required('kind'),
    library: required('library'),
    url: required('url'),
    redirects: list('redirect'),
    postLogout: values.has('post-logout') ? list('post-logout') : ['', '/'],
    sendsPkce: required('pkce') === 'true',
    isPublic: flag('public'),
    groups: flag('groups'),
    roles: flag('roles'),
    ownAudience: flag('own-audience'),
    example: required('client'),
    tried: required('tried'),
    page,
  };
}
