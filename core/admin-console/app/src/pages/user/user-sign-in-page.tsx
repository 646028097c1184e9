import { Credentials } from './credentials.tsx';
import { LoginFailures } from './login-failures.tsx';
import { RequiredActions } from './required-actions.tsx';
import { UserFrame } from './user-frame.tsx';

export default function UserSignInPage({ realm, id }: { realm: string; id: string }) {
  return (
    <UserFrame realm={realm} id={id} tab="sign-in">
      {(props) => (
        <>
          <Credentials {...props} />
          <RequiredActions {...props} />
          <LoginFailures {...props} />
        </>
      )}
    </UserFrame>
  );
}
