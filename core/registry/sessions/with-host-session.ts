import type { Realm } from '../../model/realm.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { HostSession } from './host-session.js';
import type { SessionFactory } from './session-factory.js';

/**
 * Runs work of the host that belongs to no request, in a new session, with a lease on the current plugins.
 * @param plugin the plugin that gets the session
 */
export async function withHostSession<T>(
  { registry, sessions }: { readonly registry: ProviderRegistry; readonly sessions: SessionFactory },
  realm: Realm,
  plugin: string,
  work: (session: HostSession) => Promise<T>,
): Promise<T> {
  const providers = registry.current.lease();
  try {
    const session = sessions.create(realm, { ip: '', secure: true, providers }, plugin);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  } finally {
    providers.release();
  }
}
