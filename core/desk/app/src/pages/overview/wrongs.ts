import { segment } from '../../address.ts';
import type { HostPlugin, HostPlugins } from '../../api/plugins.ts';
import type { Provider } from '../../api/providers.ts';
import type { Messages } from '../../messages/en.ts';

/** One thing that is wrong, and the page where it is mended. */
export interface Wrong {
  readonly key: string;
  readonly tone: 'bad' | 'warning';
  readonly title: string;
  /** In the host's words. */
  readonly told: string | undefined;
  readonly href: string;
}

type Texts = Messages['overview'];

export function wrongPlugins({ plugins, failure }: HostPlugins, texts: Texts): readonly Wrong[] {
  const isTold = plugins.some((plugin) => plugin.failure?.report === failure?.report);
  const ofUpdate: readonly Wrong[] =
    failure === undefined || isTold
      ? []
      : [{ key: 'update', tone: 'warning', title: texts.updateFailed, told: failure.report, href: '/plugins' }];
  return [...plugins.flatMap((plugin) => wrongOf(plugin, texts)), ...ofUpdate];
}

function wrongOf({ module, state, reason, failure }: HostPlugin, texts: Texts): readonly Wrong[] {
  const href = `/plugins/${segment(module)}`;
  if (state === 'left out')
    return [{ key: module, tone: 'bad', title: texts.leftOut(module), told: failure?.report, href }];
  if (state === 'down') return [{ key: module, tone: 'bad', title: texts.down(module), told: reason, href }];
  return failure === undefined
    ? []
    : [{ key: module, tone: 'warning', title: texts.stale(module), told: failure.report, href }];
}

/** @param at the path of the realm's pages */
export function wrongProviders(
  providers: readonly Provider[],
  at: string,
  realm: string,
  texts: Texts,
): readonly Wrong[] {
  return providers
    .filter(({ health }) => health.status !== 'up')
    .map(({ spi, id, displayName, health }) => ({
      key: `${spi}/${id}`,
      tone: 'bad',
      title: texts.provider(displayName ?? id, realm),
      told: health.reason,
      href: `${at}/providers/${segment(spi)}/${segment(id)}`,
    }));
}
