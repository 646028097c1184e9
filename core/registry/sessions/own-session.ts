import type { Realm } from '../../model/realm.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { HostSession } from './session.js';
import type { SessionFactory } from './session-factory.js';

/**
 * Does work of the host that no request waits for, or that knows of none: in a session of its own, with the newest plugins, which
 * stay open as long.
 * @param plugin whose session it is
 */
export async function inOwnSession<T>(
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
