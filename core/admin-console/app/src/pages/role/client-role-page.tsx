import RolePage from './role-page.tsx';

/** A role of a client. @param props.id the client's internal ID */
export default function ClientRolePage({ realm, id, role }: { realm: string; id: string; role: string }) {
  return <RolePage realm={realm} id={role} client={id} />;
}
