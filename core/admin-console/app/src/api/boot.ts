import { queryOptions } from '@tanstack/react-query';
import { HOST_ADMINS } from './plugins.ts';
import { request } from './request.ts';

/** `GET /admin/boot`, for the node that answers. */
export interface Boot {
  /** The host's own services, in order of creation. */
  readonly services: readonly { readonly module: string; readonly name: string; readonly milliseconds: number }[];
  readonly providers: readonly {
    /** With its version. */
    readonly plugin: string;
    readonly spi: string;
    readonly id: string;
    readonly milliseconds: number;
  }[];
}

export function boot() {
  return queryOptions({
    queryKey: ['boot'],
    queryFn: ({ signal }) => request<Boot>('/boot', { roles: HOST_ADMINS, signal }),
  });
}
