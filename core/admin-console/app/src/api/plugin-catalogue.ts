import { queryOptions } from '@tanstack/react-query';
import { wantedLanguage } from '../messages/language.tsx';
import { HOST_ADMINS, PLUGINS_KEY } from './plugins.ts';
import { request } from './request.ts';

/** A package that the project ships: `GET /admin/plugins/catalogue`. */
export interface CataloguePlugin {
  readonly module: string;
  readonly title: string;
  readonly purpose: string;
  readonly needs: readonly { readonly right: string; readonly reason: string }[];
  /** Its providers as `spi/id`. */
  readonly provides: readonly string[];
  readonly state: 'running' | 'down' | 'left out' | 'not loaded';
  readonly command: string;
  /** Its entry in plugins.json. */
  readonly entry: { readonly module: string; readonly config?: object };
}

export function pluginCatalogue() {
  return queryOptions({
    queryKey: [...PLUGINS_KEY, 'catalogue', wantedLanguage()],
    queryFn: ({ signal }) => request<readonly CataloguePlugin[]>('/plugins/catalogue', { roles: HOST_ADMINS, signal }),
  });
}
