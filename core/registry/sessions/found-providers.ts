import { type FoundProvider, HostError, type Spi } from '@keyhost/spi';
import { createProvider, type EnabledProvider, enabledProvider } from '../generations/realm-providers.js';
import { deserializeError, serializeError } from '../worker/serialized-errors.js';
import { findUncloneable, notCloneableError } from './cloneable.js';
import type { HostSession } from './host-session.js';

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Returns the providers of an SPI that plugins declare, if the session's realm enables them, in order of registration.
 * A provider is created on its first call, so that a failure to create one does not affect the others.
 * @param plugin the calling plugin, which must declare the SPI; undefined for the host
 * @throws HostError `spi_not_declared`
 */
export function findProviders<D, P>(
  session: HostSession,
  spi: Pick<Spi<D, P>, 'id'>,
  plugin?: string,
): readonly FoundProvider<D, P>[] {
  const { generation, compiledRealm: realm } = session;
  const declaredSpi = generation.spis.get(spi.id);
  if (declaredSpi === undefined || (plugin !== undefined && !declaredSpi.declaredBy.has(plugin))) {
    throw new HostError('spi_not_declared', `${plugin ?? 'keyhost'} looks up ${spi.id}: it is not among its spis`);
  }
  const caller = plugin ?? 'keyhost';
  return generation.all(declaredSpi.spi).flatMap(({ spi, id }) => {
    const enabled = enabledProvider(generation, realm, spi, id);
    if (enabled === undefined) return [];
    const { declaration } = enabled.registered;
    return [Object.freeze({ id, declaration, provider: toCallable(enabled, session, caller) }) as FoundProvider<D, P>];
  });
}

function toCallable(
  enabled: EnabledProvider<unknown, unknown>,
  session: HostSession,
  caller: string,
): Readonly<Record<string, Method>> {
  const { spi, id, plugin, methods } = enabled.registered;
  let provider: Readonly<Record<string, Method>> | undefined;
  const call = async (name: string, args: readonly unknown[]) => {
    session.requireOpen();
    checkPlain(args, `${caller} gave ${name} of ${spi.id}/${id}`);
    // Use a separate session, so that a timeout of this provider only aborts its own calls.
    provider ??= createProvider(enabled, session.createInner(plugin.name)) as Readonly<Record<string, Method>>;
    const answer = await provider[name]?.(...structuredClone(args));
    checkPlain(answer, `${plugin.name}: ${spi.id}/${id} answered ${name} with`);
    return structuredClone(answer);
  };
  const methodsByName: Record<string, Method> = Object.create(null);
  for (const name of [...(methods.required ?? []), ...(methods.optional ?? [])]) {
    methodsByName[name] = (...args) =>
      call(name, args).catch((error: unknown) => {
        // Copy the error too, as if it came from another thread.
        throw deserializeError(serializeError(error));
      });
  }
  return Object.freeze(methodsByName);
}

/**
 * Checks that a value is plain data.
 * @throws HostError `not_cloneable`
 */
function checkPlain(value: unknown, description: string): void {
  const uncloneablePart = findUncloneable(value);
  if (uncloneablePart !== undefined) throw notCloneableError(`${description} ${uncloneablePart}`);
}
