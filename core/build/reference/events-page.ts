import { DEFAULT_EVENT_TYPES, SUPPORTED_EVENT_TYPES } from '../../mail/event-mails/event-mail.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import { SAVED_BY_DEFAULT } from '../../registry/events/complete-events.js';
import { adminEventTypes } from './admin-event-types.js';
import { DETAIL_GROUPS, EVENT_DETAILS, EVENT_MOMENTS } from './event-moments.js';
import { code, codes, page, table } from './markdown.js';
import { findMatches, hostSources } from './sources.js';

/** The codes of `_ERROR` events, which are thrown or set in an event. */
const EVENT_ERROR = /\b(?:eventError|error): '([a-z]+(?:_[a-z]+)+)'/g;
/** The modules whose errors become user events. */
const EVENT_SOURCES = /^core\/(account|action-tokens|broker|login|oidc)\//;

/**
 * Returns the page with every type of event, its moment and its details.
 * @throws Error if a description is missing or superfluous
 */
export async function eventsPage(): Promise<string> {
  const sources = await hostSources();
  const texts = sources.filter(({ path }) => !/\/(event-types|complete-events)\.ts$/.test(path));
  const types = EVENT_TYPES.filter((type) => !type.endsWith('_ERROR'));
  const isWritten = (type: string) => texts.some(({ text }) => text.includes(`'${type}'`));
  const emittedTypes = types.filter(isWritten);
  const undocumentedTypes = emittedTypes.filter((type) => !Object.hasOwn(EVENT_MOMENTS, type));
  const unusedTypes = Object.keys(EVENT_MOMENTS).filter((type) => !emittedTypes.includes(type));
  if (undocumentedTypes.length + unusedTypes.length > 0)
    throw new Error(
      `event-moments.ts lacks ${undocumentedTypes.join(', ') || 'none'}; not written: ${unusedTypes.join(', ') || 'none'}`,
    );
  const documentedDetails = Object.values(EVENT_MOMENTS).flatMap(({ details: own = [] }) =>
    own.filter((name) => !isGroup(name)),
  );
  const details = new Set([...documentedDetails, ...Object.values(DETAIL_GROUPS).flat()]);
  for (const name of [...details, ...Object.keys(EVENT_DETAILS)]) {
    if (!Object.hasOwn(EVENT_DETAILS, name)) throw new Error(`event-moments.ts does not explain the detail ${name}`);
    if (!texts.some(({ text }) => text.includes(name))) throw new Error(`no source names the detail ${name}`);
  }
  const errors = findMatches(
    texts.filter(({ path }) => EVENT_SOURCES.test(path)),
    EVENT_ERROR,
  );
  return page(
    'Events',
    "Keyhost writes Keycloak's events. Listeners get every event. The store keeps events if `eventsEnabled` (user events) or\n`adminEventsEnabled` (admin events) of the realm is `true`. `eventsExpiration` and the attribute `adminEventsExpiration` delete them after\nthat many seconds.",
    '## User events',
    'An event has `id`, `time` (milliseconds since 1970), `type`, `realmId`, `realmName`, `clientId`, `userId`, `sessionId`, `ipAddress`,\n`error` and `details`. A failure has the type with the suffix `_ERROR`, an `error`, and often the detail `reason`. *Saved* says\nwhether an empty `enabledEventTypes` saves the type.',
    table(
      ['type', 'written when', 'details', 'saved'],
      emittedTypes.map((type) => [
        code(type),
        EVENT_MOMENTS[type]?.when ?? '',
        (EVENT_MOMENTS[type]?.details ?? []).map((name) => (isGroup(name) ? name : code(name))).join(', '),
        SAVED_BY_DEFAULT.includes(type) ? 'yes' : 'no',
      ]),
    ),
    `Keyhost knows these types of Keycloak and does not write them: ${codes(types.filter((type) => !isWritten(type)))}.`,
    'Words in italics stand for several details:',
    table(
      ['word', 'details'],
      Object.entries(DETAIL_GROUPS).map(([word, names]) => [`*${word}*`, codes(names)]),
    ),
    'Plugins can write other types. They are saved if `enabledEventTypes` is empty or names them.',
    '## Details',
    table(
      ['detail', 'meaning'],
      Object.entries(EVENT_DETAILS)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, meaning]) => [code(name), meaning]),
    ),
    '## Errors of user events',
    `\`error\` of an event with the suffix \`_ERROR\` is one of these, or a code of the [OAuth errors](errors.md#oauth-errors): ${codes([...new Set(errors.map(([, name = '']) => name))].sort())}.`,
    '## The listener email',
    `\`email\` in \`eventsListeners\` mails users what happens to their account, by the \`smtpServer\` and the \`emailTheme\` of the realm.\nAs in Keycloak, a user needs a verified email address. Events without a word in the settings: ${codes(DEFAULT_EVENT_TYPES)}.\n\`includeEvents\` names other ones, and \`excludeEvents\` takes some away. There are texts for ${codes(SUPPORTED_EVENT_TYPES)}.`,
    '```json\n"eventsListeners": ["jboss-logging", "email"],\n"providers": { "events-listener": { "email": { "config": { "excludeEvents": ["LOGIN_ERROR"] } } } }\n```',
    'A user gets at most 30 of these mails within an hour. They wait and are tried again for a day if the mail server is away. A host that\nis killed right after an event may not send its mail. In Keycloak the settings are options of the server.',
    '## Admin events',
    'Each change over the Admin REST API is one event, written in the transaction of the change. It has `id`, `time`, `realmId`, `realmName`,\n`operationType`, `resourceType`, `resourcePath`, `authDetails` (`realmId`, `clientId`, `userId`, `ipAddress`) and, if\n`adminEventsDetailsEnabled` is `true`, `representation` with masked secrets. If something is removed, its `id` and name are the\n`representation`. `details` name the user of a membership (`username`, `email`) and a removed credential (`credential_type`, `credential_id`). Listeners get `representation` in any case, and\nwith it what the realm says. Who joins a group that they are in, and leaves one that they are not in, is no event. `operationType` is `CREATE`, `UPDATE`, `DELETE` or `ACTION`.',
    table(['resource type', 'operations', 'paths'], adminEventTypes()),
  );
}

function isGroup(name: string): boolean {
  return name.startsWith('*');
}
