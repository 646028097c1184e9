/** A program that checks an access token in one language: its argument is the token, and it prints the subject. */
interface TokenCheck {
  readonly title: string;
  /** Commands that install its library. */
  readonly install: string;
  /** The language of the code block. */
  readonly language: string;
  readonly code: string;
  readonly run: string;
  /** True for a program that the tests do not run. */
  readonly isUntried?: true;
}

/** The programs for an API. Both values must be safe in string literals. */
function tokenChecks(issuer: string, audience: string): readonly TokenCheck[] {
  return [
    {
      title: 'JavaScript',
      install: 'npm install jose@6',
      language: 'js',
      code: `// check-token.mjs
import { createRemoteJWKSet, jwtVerify } from 'jose';

const issuer = '${issuer}';
const keys = createRemoteJWKSet(new URL('${issuer}/protocol/openid-connect/certs'));

async function checkToken(token) {
  const { payload } = await jwtVerify(token, keys, { issuer, audience: '${audience}', requiredClaims: ['exp'] });
  return payload;
}

console.log((await checkToken(process.argv[2])).sub);`,
      run: 'node check-token.mjs TOKEN',
    },
    {
      title: 'Python',
      install: `pip install 'pyjwt[crypto]==2.*'`,
      language: 'python',
      code: `# check_token.py
import sys

import jwt

ISSUER = "${issuer}"
keys = jwt.PyJWKClient(f"{ISSUER}/protocol/openid-connect/certs")


def check_token(token):
    key = keys.get_signing_key_from_jwt(token)
    return jwt.decode(
        token,
        key,
        algorithms=["RS256"],
        issuer=ISSUER,
        audience="${audience}",
        options={"require": ["exp"]},
    )


print(check_token(sys.argv[1])["sub"])`,
      run: 'python3 check_token.py TOKEN',
    },
    {
      title: 'Go',
      install: 'go mod init check-token\ngo get github.com/coreos/go-oidc/v3/oidc',
      language: 'go',
      code: `// main.go
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, "${issuer}")
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: "${audience}"}) // the audience
	token, err := verifier.Verify(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token.Subject)
}`,
      run: 'go run . TOKEN',
    },
    {
      title: 'Java',
      install: 'mvn dependency:copy -Dartifact=com.nimbusds:nimbus-jose-jwt:10.0.2 -DoutputDirectory=.',
      language: 'java',
      code: `// CheckToken.java
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.net.URI;
import java.util.Set;

public class CheckToken {
  public static void main(String[] args) throws Exception {
    String issuer = "${issuer}";
    var certs = URI.create(issuer + "/protocol/openid-connect/certs").toURL();
    var keys = JWKSourceBuilder.<SecurityContext>create(certs).build();
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.RS256, keys));
    var expected = new JWTClaimsSet.Builder().issuer(issuer).build();
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>("${audience}", expected, Set.of("sub", "exp")));
    System.out.println(processor.process(args[0], null).getSubject());
  }
}`,
      run: 'java -cp nimbus-jose-jwt-10.0.2.jar CheckToken.java TOKEN',
    },
    {
      title: '.NET',
      install: 'dotnet new console\ndotnet add package Microsoft.IdentityModel.Protocols.OpenIdConnect',
      language: 'csharp',
      code: `// Program.cs
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Protocols;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using Microsoft.IdentityModel.Tokens;

const string issuer = "${issuer}";
var discovery = new ConfigurationManager<OpenIdConnectConfiguration>(
    $"{issuer}/.well-known/openid-configuration",
    new OpenIdConnectConfigurationRetriever(),
    new HttpDocumentRetriever { RequireHttps = issuer.StartsWith("https:") });
var configuration = await discovery.GetConfigurationAsync(CancellationToken.None);
var result = await new JsonWebTokenHandler().ValidateTokenAsync(args[0], new TokenValidationParameters
{
    ValidIssuer = issuer,
    ValidAudience = "${audience}",
    ValidAlgorithms = new[] { "RS256" },
    IssuerSigningKeys = configuration.SigningKeys,
});
if (!result.IsValid) throw result.Exception;
Console.WriteLine(result.Claims["sub"]);`,
      run: 'dotnet run TOKEN',
      isUntried: true,
    },
  ];
}

/**
 * Formats the programs that check access tokens, as Markdown.
 * @param audience the client ID of the API
 */
export function formatTokenChecks(issuer: string, audience: string): string {
  const sections = tokenChecks(issuer, audience).map(
    ({ title, install, language, code, run, isUntried }) => `## ${title}

${isUntried ? '> Our tests do not run this program.\n\n' : ''}\`\`\`sh
${install}
\`\`\`

\`\`\`${language}
${code}
\`\`\`

Run \`${run}\`. It prints the subject of the token, or fails.
`,
  );
  return `Check access tokens in one of these languages. The programs accept the realm’s default signature algorithm, RS256, and no other.

${sections.join('\n')}`;
}
