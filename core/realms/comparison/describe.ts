import { isSecretName } from '../../model/secret-names.js';
import type { Change } from './changes.js';
import { grantChange } from './grants.js';
import { isObject } from './json.js';
import type { Conflict } from './merge.js';
import { type Subject, subjectOf } from './subject.js';

export interface DescribeOptions {
  /** Texts that are masked, such as values of references. */
  readonly secrets?: ReadonlySet<string>;
  /** True for a provider that is enabled in a realm that does not name it. */
  readonly onByDefault?: (spi: string, id: string) => boolean;
}

/** A change or a conflict in a sentence without values. */
export interface DescribedChange {
  /** Such as `client web-app: redirectUris`. */
  readonly name: string;
  readonly sentence: string;
}

/** Returns the subject of a change, without values: `client web-app: redirectUris`. */
export function nameOf(change: Change | Conflict): string {
  const { words, rest } = subjectOf(change.path);
  if ('of' in change && change.of === 'thing') return describeChange(change);
  return [words, rest.join('.')].filter((part) => part !== '').join(': ');
}

/** Describes a change in one sentence without a full stop: `client web-app loses grant password`. */
export function describeChange(change: Change, options: DescribeOptions = {}): string {
  const { path, before, after } = change;
  const subject = subjectOf(path);
  const { words, kind, rest } = subject;
  if (change.of === 'thing') return `${words} ${thingChange(change, kind)}`;
  const name = words === '' ? 'the realm' : words;
  if (kind === 'client') {
    const grant = grantChange(rest, before, after);
    if (grant !== undefined) return `${words} ${grant}`;
  }
  if (change.of === 'member') return `${name} ${memberChange(subject, before, after)}`;
  if (rest.length === 1 && rest[0] === 'enabled' && (before ?? after) !== undefined) {
    const [spi = '', id = ''] = path.slice(1);
    const defaultValue = kind === 'provider' ? (options.onByDefault?.(spi, id) ?? false) : kind !== 'realm';
    const wasEnabled = before ?? defaultValue;
    const isEnabled = after ?? defaultValue;
    if (wasEnabled !== isEnabled) return `${name} is ${isEnabled ? 'enabled' : 'disabled'}`;
  }
  const member = words === '' ? rest.join('.') : `${words}: ${rest.join('.')}`;
  if (isSecret(rest)) {
    return `${member} ${before === undefined ? 'is set' : after === undefined ? 'is no longer set' : 'is changed'}`;
  }
  if (after === undefined) return `${member} is no longer set (was ${formatValue(before, options)})`;
  return `${member} is ${formatValue(after, options)}${before === undefined ? '' : ` (was ${formatValue(before, options)})`}`;
}

/** Describes both sides of a conflict. */
export function describeConflict({ path, ours, theirs }: Conflict, options: DescribeOptions = {}): string {
  const { words, rest } = subjectOf(path);
  const subject = [words, rest.join('.')].filter((part) => part !== '').join(': ');
  const describeSide = (value: unknown) => {
    if (value === undefined) return 'removed it';
    return isSecret(rest) || isObject(value) ? 'changed it' : `set it to ${formatValue(value, options)}`;
  };
  return `${subject}: an edit ${describeSide(ours)}, the file ${describeSide(theirs)}: the file wins`;
}

function thingChange({ before }: Change, kind: Subject['kind']): string {
  if (before === undefined) return 'is created';
  if (kind !== 'client') return 'is removed';
  const hasAccount = isObject(before) && before.serviceAccountsEnabled === true;
  return `is removed, with ${hasAccount ? 'its service account and ' : ''}its sessions`;
}

/** The verbs for a new and a removed member, by the name of the set; `gets` and `loses` for all others. */
const SET_VERBS: Readonly<Record<string, readonly [came: string, went: string]>> = {
  redirectUris: ['may redirect to', 'may no longer redirect to'],
  webOrigins: ['may be called from', 'may no longer be called from'],
  defaultClientScopes: ['gets the default scope', 'loses the default scope'],
  optionalClientScopes: ['gets the optional scope', 'loses the optional scope'],
  defaultDefaultClientScopes: ['gives clients the default scope', 'no longer gives clients the default scope'],
  defaultOptionalClientScopes: ['gives clients the optional scope', 'no longer gives clients the optional scope'],
  realmRoles: ['gives the realm role', 'no longer gives the realm role'],
  eventsListeners: ['gets the event listener', 'loses the event listener'],
  'impersonation.scopes': ['may impersonate within scope', 'may no longer impersonate within scope'],
  'impersonation.audiences': ['may impersonate for audience', 'may no longer impersonate for audience'],
  'composites.realm': ['contains the realm role', 'no longer contains the realm role'],
};

function memberChange({ rest }: Subject, before: unknown, after: unknown): string {
  const [set = '', client] = rest.slice(-2);
  const name = rest.join('.');
  const verbs = Object.hasOwn(SET_VERBS, name) ? SET_VERBS[name] : undefined;
  const text = String(after ?? before);
  if (verbs !== undefined) return `${verbs[before === undefined ? 0 : 1]} ${text}`;
  const verb = before === undefined ? 'gets' : 'loses';
  if (client !== undefined && (set === 'clientRoles' || (set === 'client' && rest[0] === 'composites'))) {
    return `${verb} the role ${text} of client ${client}`;
  }
  return `${verb} "${text}" in ${name}`;
}

/** True also for a member of a secret object, because any name in the path can be secret: `smtpServer.password`. */
function isSecret(rest: readonly string[]): boolean {
  return rest.some(isSecretName);
}

const MAX_VALUE_LENGTH = 80;

function formatValue(value: unknown, { secrets }: DescribeOptions): string {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (isSecretName(key) && inner !== undefined) return '***';
    return typeof inner === 'string' && containsSecret(inner, secrets) ? '***' : inner;
  });
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH - 1)}…`;
}

function containsSecret(text: string, secrets: ReadonlySet<string> | undefined): boolean {
  for (const secret of secrets ?? []) if (secret !== '' && text.includes(secret)) return true;
  return false;
}
