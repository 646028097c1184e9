import type { TrialUser } from '../realm-files/trial-users.js';

/** The content of the message. */
export interface ReadyHost {
  /** Its public URL. */
  readonly url: string;
  /** The URL in front of `/admin`. */
  readonly admin: string;
  /** `keyhost console` can sign in to the admin console. */
  readonly hasConsole: boolean;
  /** Test users by realm. */
  readonly users: ReadonlyMap<string, readonly TrialUser[]>;
}

/**
 * The message after a development start: the URL of the start page, a test user, and how to sign in as admin.
 * @param isRead true if a terminal shows it; else it becomes part of a log, and must not contain passwords
 */
export function readyMessage({ url, admin, hasConsole, users }: ReadyHost, isRead: boolean): string {
  const page = byName(url);
  const [realm, [user] = []] = [...users].sort(([one], [other]) => one.localeCompare(other))[0] ?? [];
  const lines = [['Page', `${page}/`]];
  if (realm !== undefined && user !== undefined) {
    lines.push(['Account', `${page}/realms/${encodeURIComponent(realm)}/account`]);
    lines.push(['User', user.username], ['Password', isRead ? user.password : 'shown on the page']);
  }
  lines.push(['Console', `${byName(admin)}/admin/`]);
  if (hasConsole) lines.push(['Admin', 'npx keyhost console opens the admin console, signed in']);
  return `\n${lines.map(([title = '', text = '']) => `  ${title.padEnd(10)}${text}\n`).join('')}\n`;
}

/** Uses the name `localhost`, because browsers accept no passkeys for 127.0.0.1 (Web Authentication Level 2 §5.1.3). */
function byName(url: string): string {
  return url.replace(/^(https?:\/\/)127\.0\.0\.1(?=[:/]|$)/, '$1localhost');
}
