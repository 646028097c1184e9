import { HostError, type ProviderDefinition, type ProviderFactory, type Schedule } from '@keyhost/spi';
import { systemClock } from '../../model/clock.js';
import { BACKGROUND, methodsOf, SCHEDULED, spiOf } from './host-spis.js';

/** The declaration of a provider, before or after it is opened. */
export type Declared = Pick<ProviderDefinition, 'spi' | 'id' | 'background'> & {
  readonly declaration: unknown;
  readonly schedule?: Schedule | undefined;
};

/** Providers whose work was checked: `create` returns the same methods each time. */
const CHECKED = new WeakSet<Declared>();

/**
 * Checks that a provider's work outside of requests is declared, because it would not be called otherwise, and that
 * declared work exists.
 * @throws HostError `provider_shape`
 */
export function checkWork(definition: Declared, provider: unknown): void {
  // Providers are created for each request.
  if (CHECKED.has(definition)) return;
  const { id, declaration, background = false, schedule } = definition;
  const spi = spiOf(definition);
  for (const [method, isDeclared, member] of [
    [BACKGROUND, background, 'background: true'],
    [SCHEDULED, schedule !== undefined, 'a schedule'],
  ] as const) {
    const isThere = typeof (provider as Readonly<Record<string, unknown>> | undefined)?.[method] === 'function';
    if (isThere === isDeclared) continue;
    const { required = [], optional = [] } = methodsOf(spi, {
      declaration: declaration as ProviderDefinition['declaration'],
    });
    // A route, an rpc or an operation has that name.
    if ([...required, ...optional].includes(method)) continue;
    const what = `${spi.id}/${id}`;
    throw new HostError(
      'provider_shape',
      isThere
        ? `${what} has a method ${method}, but does not declare ${member} in provide()`
        : `${what} declares ${member}, but what create returns has no method ${method}`,
    );
  }
  CHECKED.add(definition);
}

/**
 * Creates a provider once, without a caller, and checks its work. If it cannot be created without a realm, it is
 * checked on its first use.
 * @throws HostError `provider_shape`
 */
export async function checkFactoryWork(
  definition: Declared,
  factory: ProviderFactory<unknown, unknown>,
): Promise<void> {
  const { WorkerSession } = await import('../worker/worker-session.js');
  const quiet = () => {};
  const session = new WorkerSession({
    realm: { id: 'none', name: 'none', displayName: 'none', enabled: true, issuer: 'http://none', attributes: {} },
    remoteAddress: '127.0.0.1',
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    clock: systemClock,
    signal: AbortSignal.abort(),
    // Calls never settle: a rejection that is not awaited would be an unhandled one.
    call: () => new Promise(quiet),
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
    await Promise.resolve(closed(provider)).catch(quiet);
  }
}

async function closed(provider: { close?(): unknown } | undefined): Promise<void> {
  await provider?.close?.();
}
