import type { TrialUser } from '../realm-files/trial-users.js';

export interface ReadyHost {
  /** The public URL of the host. */
  readonly url: string;
  /** The URL to which `/admin` is appended. */
  readonly adminUrl: string;
  /** True if `keyhost console` can sign in to the admin console. */
  readonly hasConsole: boolean;
  /** Trial users by realm. */
  readonly trialUsers: ReadonlyMap<string, readonly TrialUser[]>;
}

/**
 * Formats the message after a development start: the URL of the start page, a trial user, and how to sign in as admin.
 * @param isTerminal true if the message is shown in a terminal; otherwise it becomes part of a log, and must not
 * contain passwords
 */
export function formatReadyMessage({ url, adminUrl, hasConsole, trialUsers }: ReadyHost, isTerminal: boolean): string {
  const page = withLocalhostName(url);
  const [realm, [user] = []] = [...trialUsers].sort(([first], [second]) => first.localeCompare(second))[0] ?? [];
  const lines = [['Page', `${page}/`]];
  if (realm !== undefined && user !== undefined) {
    lines.push(['Account', `${page}/realms/${encodeURIComponent(realm)}/account`]);
    lines.push(['User', user.username], ['Password', isTerminal ? user.password : 'shown on the page']);
  }
  lines.push(['Console', `${withLocalhostName(adminUrl)}/admin/`]);
  if (hasConsole) lines.push(['Admin', 'npx keyhost console opens the admin console, signed in']);
  return `\n${lines.map(([title = '', text = '']) => `  ${title.padEnd(10)}${text}\n`).join('')}\n`;
}

/**
 * Replaces 127.0.0.1 by `localhost`, because browsers accept no passkeys for IP addresses (Web Authentication Level 2
 * §5.1.3).
 */
function withLocalhostName(url: string): string {
  return url.replace(/^(https?:\/\/)127\.0\.0\.1(?=[:/]|$)/, '$1localhost');
}
