import type { AdminEvent } from '../../../api/events.ts';
import { decoded, type PathNames } from './admin-rules.ts';

/** The names that an event and the path of its resource contain. */
export interface AdminNames {
  readonly user: string | undefined;
  readonly client: string | undefined;
  readonly group: string | undefined;
  readonly name: string | undefined;
  /** The last part of the path, unless it is an ID. */
  readonly last: string | undefined;
  readonly items: readonly string[];
  readonly credential: string | undefined;
}

/** Finds names by ID. */
export interface NameLookup {
  readonly admin: string | undefined;
  user(id: string): string | undefined;
  client(id: string): string | undefined;
}

/** Members of representations that name the object, in this order. */
const NAME_MEMBERS = ['username', 'clientId', 'alias', 'name', 'displayName', 'module', 'realm'];
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_ITEMS = 3;

export function namesOf(
  { resourcePath, representation, details }: Pick<AdminEvent, 'resourcePath' | 'representation' | 'details'>,
  { user, client, group, name }: PathNames,
  lookup: NameLookup,
): AdminNames {
  const sent = parsed(representation);
  const sentName = nameIn(sent);
  // The representation is that of the user, the client or the group itself, and not of something below it.
  const isWhole = /^(users|clients|groups)\/[^/]+$/.test(resourcePath);
  const wholeName = isWhole ? sentName : undefined;
  const username = user && (lookup.user(user) ?? details?.username ?? wholeName ?? user);
  const clientName = client && (lookup.client(client) ?? wholeName ?? client);
  const last = decoded(resourcePath.split('/').at(-1) ?? '');
  return {
    user: username,
    client: clientName,
    group: group && wholeName,
    name: (isWhole ? (username ?? clientName) : undefined) ?? name ?? sentName,
    last: ID.test(last) || last === '' ? undefined : last,
    items: Array.isArray(sent) ? sent.flatMap((item) => nameIn(item) ?? []) : [],
    credential: details?.credential_type,
  };
}

/** Names in one text after a colon, shortened if there are many; empty if there are none. */
export function listed(items: readonly string[]): string {
  if (items.length === 0) return '';
  return `: ${items.slice(0, MAX_ITEMS).join(', ')}${items.length > MAX_ITEMS ? ' …' : ''}`;
}

/** The JSON of an event; undefined if it has none, or another text, such as an imported event of Keycloak. */
export function parsed(representation: string | undefined): unknown {
  try {
    return representation === undefined ? undefined : JSON.parse(representation);
  } catch {
    return undefined;
  }
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  return NAME_MEMBERS.map((member) => members[member]).find(
    (name): name is string => typeof name === 'string' && name !== '',
  );
}
