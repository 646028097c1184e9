import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { CLIENT_READERS, CLIENT_WRITERS } from './clients.ts';
import type { Mapper, MapperRequest } from './mappers.ts';
import { request, requestTagged } from './request.ts';

/** Keycloak's ProtocolMapperRepresentation. */
interface ProtocolMapper {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  readonly protocolMapper: string;
  readonly config?: Readonly<Record<string, string>>;
}

/** A client or a client scope: its path in the API, its query key, and its protocol. */
export interface MapperOwner {
  readonly path: string;
  readonly key: QueryKey;
  readonly protocol: string;
}

const pathOf = ({ path }: MapperOwner, below: string) => `${path}/protocol-mappers/${below}`;
const mapperOf = ({ id, name, protocolMapper: kind, config = {} }: ProtocolMapper): Mapper => ({
  id,
  name,
  kind,
  config,
});
const bodyOf = ({ protocol }: MapperOwner, { name, kind, config }: MapperRequest) => ({
  name,
  protocol,
  protocolMapper: kind,
  config,
});
export const mappersKey = ({ key }: MapperOwner) => [...key, 'mappers'] as const;

/** The protocol mappers of a client scope, or the client's own without those of its client scopes. */
export function protocolMappers(owner: MapperOwner) {
  return queryOptions({
    queryKey: mappersKey(owner),
    queryFn: async ({ signal }) => {
      const path = pathOf(owner, `protocol/${encodeSegment(owner.protocol)}`);
      return (await request<readonly ProtocolMapper[]>(path, { roles: CLIENT_READERS, signal })).map(mapperOf);
    },
  });
}

/** The operations on these mappers. */
export function protocolMapperCalls(owner: MapperOwner) {
  const mapperPath = (id: string) => pathOf(owner, `models/${encodeSegment(id)}`);
  const roles = CLIENT_WRITERS;
  return {
    read: async (id: string) => {
      const { body, tag } = await requestTagged<ProtocolMapper>(mapperPath(id), { roles: CLIENT_READERS });
      return { body: mapperOf(body), tag };
    },
    create: (mapper: MapperRequest) =>
      request<void>(pathOf(owner, 'models'), { method: 'POST', body: bodyOf(owner, mapper), roles }),
    change: (mapper: Mapper, ifMatch: string | undefined) => {
      const body = { id: mapper.id, ...bodyOf(owner, mapper) };
      return request<void>(mapperPath(mapper.id), { method: 'PUT', body, ifMatch, roles });
    },
    remove: (id: string) => request<void>(mapperPath(id), { method: 'DELETE', roles }),
  };
}
