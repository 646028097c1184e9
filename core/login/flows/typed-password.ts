import type { AuthenticationStep } from '@keyhost/spi';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';

/** True where the host itself has found the password right that is in the form. */
export function isTypedPassword({ registered }: EnabledAuthenticator, step: AuthenticationStep): boolean {
  return registered.plugin.builtin && step.outcome === 'success' && step.credentialType === 'password';
}

/** What of the typed password a step may see: with its right, and none of a condition's. */
export function typedPasswordFor(
  { session, typedPassword }: { readonly session: HostSession; readonly typedPassword?: string | undefined },
  { registered }: EnabledAuthenticator,
): string | undefined {
  return mayReadTypedPassword(session, registered) ? typedPassword : undefined;
}

/** True for a step of a plugin with the right to it. */
export function mayReadTypedPassword(
  { compiledRealm }: HostSession,
  { plugin }: Pick<RegisteredProvider, 'plugin'>,
): boolean {
  return plugin.rights?.in(compiledRealm.name).has('read-typed-password') === true;
}
