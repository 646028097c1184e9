import type { AuthenticationStep } from '@keyhost/spi';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';

/** True if the host itself has verified the password in the form. */
export function hasVerifiedPassword({ registered }: EnabledAuthenticator, step: AuthenticationStep): boolean {
  return registered.plugin.builtin && step.outcome === 'success' && step.credentialType === 'password';
}

/** The typed password, if the authenticator may read it; otherwise undefined. */
export function typedPasswordFor(
  { session, typedPassword }: { readonly session: HostSession; readonly typedPassword?: string | undefined },
  { registered }: EnabledAuthenticator,
): string | undefined {
  return mayReadTypedPassword(session, registered) ? typedPassword : undefined;
}

/** True if the provider's plugin has the right `read-typed-password`. */
export function mayReadTypedPassword(
  { compiledRealm }: HostSession,
  { plugin }: Pick<RegisteredProvider, 'plugin'>,
): boolean {
  return plugin.rights?.forRealm(compiledRealm.name).has('read-typed-password') === true;
}
