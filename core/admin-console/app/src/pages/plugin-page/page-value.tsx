import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type PageBadge, type PageColumn, textIn } from '../../api/plugin-pages.ts';
import { useLanguage } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Time } from '../../parts/time.tsx';

/** Names of the users and clients on a page, by ID. */
export interface Names {
  readonly users: ReadonlyMap<string, string>;
  readonly clients: ReadonlyMap<string, string>;
}

/** No names. */
export const NO_NAMES: Names = { users: new Map(), clients: new Map() };

/** A value as its column declares: always text, never markup. */
export function PageValue({ value, as, realm, names }: Pick<PageColumn, 'as'> & PageValueProps) {
  const { messages, language } = useLanguage();
  if (value === undefined || value === null || value === '') return messages.none;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (typeof as === 'object') return <BadgeValue as={as} value={text} />;
  if (as === 'code') return <code>{text}</code>;
  if (as === 'number' && typeof value === 'number') return new Intl.NumberFormat(language).format(value);
  // An invalid time is shown unchanged.
  if (as === 'time' && typeof value === 'number' && !Number.isNaN(new Date(value).getTime()))
    return <Time at={value} />;
  if (as === 'yesno' && typeof value === 'boolean') return value ? messages.yes : messages.no;
  if (as === 'user')
    return <Link href={pathIn(realm, `/users/${encodeSegment(text)}`)}>{names.users.get(text) ?? text}</Link>;
  if (as === 'client')
    return <Link href={pathIn(realm, `/clients/${encodeSegment(text)}`)}>{names.clients.get(text) ?? text}</Link>;
  return as === 'link' ? <PageAnchor to={text} realm={realm} /> : text;
}

interface PageValueProps {
  readonly value: unknown;
  readonly realm: string;
  readonly names: Names;
}

/** A link to a path of the admin console within the realm, or to another site. */
export function PageAnchor({ to, realm, children = to }: { to: string; realm: string; children?: ReactNode }) {
  if (to.startsWith('https://'))
    return (
      <a href={to} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  return to.startsWith('/') ? <Link href={pathIn(realm, to)}>{children}</Link> : children;
}

function BadgeValue({ as: { badge, words = {} }, value }: { as: PageBadge; value: string }) {
  const { language } = useLanguage();
  const word = Object.hasOwn(words, value) ? words[value] : undefined;
  const text = word === undefined ? value : textIn(word, language);
  const tone = Object.hasOwn(badge, value) ? badge[value] : undefined;
  return tone === undefined ? text : <Badge tone={tone}>{text}</Badge>;
}

function pathIn(realm: string, path: string): string {
  return `/realms/${encodeSegment(realm)}${path}`;
}
