import { useQuery } from '@tanstack/react-query';
import { clientMapperCalls, clientMappersKey, mappersOfClient } from '../../api/client-mappers.ts';
import { serverInfo } from '../../api/server-info.ts';
import { useTexts } from '../../messages/language.tsx';
import { MapperList } from '../../parts/mapper-list.tsx';
import { ClientFrame, type ClientSectionProps } from './client-frame.tsx';
import { texts as clientTexts } from './texts.ts';

/** The client's own protocol mappers. */
export default function ClientMappersPage({ realm, id }: { realm: string; id: string }) {
  return (
    <ClientFrame realm={realm} id={id} tab="mappers">
      {(props) => <Mappers {...props} />}
    </ClientFrame>
  );
}

function Mappers({ realm, client: { id, protocol, access } }: ClientSectionProps) {
  const texts = useTexts(clientTexts);
  const { data } = useQuery(serverInfo());
  const place = { realm, id, protocol };
  return (
    <MapperList
      realm={realm}
      query={useQuery(mappersOfClient(place))}
      kinds={data?.protocolMapperTypes[protocol] ?? []}
      calls={clientMapperCalls(place)}
      refreshes={clientMappersKey(realm, id)}
      canManage={access.manage}
      lead={texts.mappersLead}
      empty={texts.noMappers}
    />
  );
}
