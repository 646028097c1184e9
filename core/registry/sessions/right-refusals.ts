import { HostError, type Logger } from '@keyhost/spi';
import type { ProviderCalls } from './provider-calls.js';

/** Creates the errors for actions for which plugins have no right; counts and logs each. */
export class RightRefusals {
  readonly #calls: ProviderCalls;
  readonly #logger: Logger;

  constructor({ calls, logger }: { readonly calls: ProviderCalls; readonly logger: Logger }) {
    this.#calls = calls;
    this.#logger = logger;
  }

  /**
   * @param right the missing right, such as `view-users or query-users`
   * @param operation the refused operation
   */
  refusalError(plugin: string, realm: string, right: string, operation: string): HostError {
    this.#calls.recordDenial(plugin, right);
    this.#logger.warn('plugin request refused: the right is not granted', { plugin, realm, right, operation });
    return new HostError(
      'plugin_not_granted',
      `${plugin} is not granted ${right} in realm ${realm}, which ${operation} needs: see "needs" of the plugin and "grants" of plugins.json`,
    );
  }
}
