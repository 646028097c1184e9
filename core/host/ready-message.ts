import type { TrialUser } from '../realm-files/trial-users.js';

/** What the message is about. */
export interface ReadyHost {
  /** Its public address. */
  readonly url: string;
  /** The address in front of `/admin`. */
  readonly admin: string;
  /** `keyhost console` signs in to the desk. */
  readonly hasConsole: boolean;
  /** Users to try things with, by realm. */
  readonly users: ReadonlyMap<string, readonly TrialUser[]>;
}

/**
 * What a person reads who started a host to try things: where its page is, whom to sign in as, and how to become its admin.
 * @param isRead true: a terminal shows it. Else it becomes part of a log, which has no passwords
 */
export function readyMessage({ url, admin, hasConsole, users }: ReadyHost, isRead: boolean): string {
  const page = byName(url);
  const [realm, [user] = []] = [...users].sort(([one], [other]) => one.localeCompare(other))[0] ?? [];
  const lines = [['Page', `${page}/`]];
  if (realm !== undefined && user !== undefined) {
    lines.push(['Account', `${page}/realms/${encodeURIComponent(realm)}/account`]);
    lines.push(['User', user.username], ['Password', isRead ? user.password : 'shown on the page']);
  }
  lines.push(['Desk', `${byName(admin)}/admin/`]);
  if (hasConsole) lines.push(['Admin', 'npx keyhost console opens the desk, signed in']);
  return `\n${lines.map(([title = '', text = '']) => `  ${title.padEnd(10)}${text}\n`).join('')}\n`;
}

/** Passkeys are made for names: a browser takes none for 127.0.0.1 (Web Authentication Level 2 §5.1.3). */
function byName(url: string): string {
  return url.replace(/^(https?:\/\/)127\.0\.0\.1(?=[:/]|$)/, '$1localhost');
}
