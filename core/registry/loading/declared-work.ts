import { HostError, type ProviderDefinition, type ProviderFactory, type Schedule } from '@keyhost/spi';
import { systemClock } from '../../model/clock.js';
import { BACKGROUND_METHOD, methodsOf, SCHEDULED_METHOD, spiOf } from './host-spis.js';

/** A provider's declaration, either from `provide()` or registered. */
export type ProviderDeclaration = Pick<ProviderDefinition, 'spi' | 'id' | 'background'> & {
  readonly declaration: unknown;
  readonly schedule?: Schedule | undefined;
};

/** Definitions that were checked. `create` returns the same methods each time, so one check is enough. */
const CHECKED_DEFINITIONS = new WeakSet<ProviderDeclaration>();

/**
 * Checks that a provider declares its work outside of requests, and has the method for what it declares. Undeclared
 * work would never be called.
 * @throws HostError `provider_shape`
 */
export function checkWork(definition: ProviderDeclaration, provider: unknown): void {
  // Providers are created for each request: check only the first one.
  if (CHECKED_DEFINITIONS.has(definition)) return;
  const { id, declaration, background = false, schedule } = definition;
  const spi = spiOf(definition);
  for (const [method, isDeclared, member] of [
    [BACKGROUND_METHOD, background, 'background: true'],
    [SCHEDULED_METHOD, schedule !== undefined, 'a schedule'],
  ] as const) {
    const isImplemented = typeof (provider as Readonly<Record<string, unknown>> | undefined)?.[method] === 'function';
    if (isImplemented === isDeclared) continue;
    const { required = [], optional = [] } = methodsOf(spi, {
      declaration: declaration as ProviderDefinition['declaration'],
    });
    // The method is an operation of the SPI that happens to have this name.
    if ([...required, ...optional].includes(method)) continue;
    const name = `${spi.id}/${id}`;
    throw new HostError(
      'provider_shape',
      isImplemented
        ? `${name} has a method ${method}, but does not declare ${member} in provide()`
        : `${name} declares ${member}, but what create returns has no method ${method}`,
    );
  }
  CHECKED_DEFINITIONS.add(definition);
}

/**
 * Creates a provider once, without a caller, to check its work. If it cannot be created without a realm, it is checked
 * on its first use.
 * @throws HostError `provider_shape`
 */
export async function checkFactoryWork(
  definition: ProviderDeclaration,
  factory: ProviderFactory<unknown, unknown>,
): Promise<void> {
  const { WorkerSession } = await import('../worker/worker-session.js');
  const doNothing = () => {};
  const session = new WorkerSession({
    realm: { id: 'none', name: 'none', displayName: 'none', enabled: true, issuer: 'http://none', attributes: {} },
    remoteAddress: '127.0.0.1',
    logger: { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing },
    clock: systemClock,
    signal: AbortSignal.abort(),
    // Calls never settle. A rejected one that the provider does not await would be an unhandled rejection.
    call: () => new Promise(doNothing),
  });
  let provider: { close?(): unknown } | undefined;
  try {
    provider = factory.create(session, {}) as typeof provider;
  } catch {
    return;
  }
  try {
    checkWork(definition, provider);
  } finally {
    await Promise.resolve(closeProvider(provider)).catch(doNothing);
  }
}

async function closeProvider(provider: { close?(): unknown } | undefined): Promise<void> {
  await provider?.close?.();
}
