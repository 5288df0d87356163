// signInAlone returns an OAuthClientProvider of the official SDK, of either generation, for a program
// without a screen: it asks the authorization endpoint by itself, which answers with a redirect, and
// keeps what comes back. What the SDK leaves to its users is done as the specification says: state
// is made and compared, and credentials are kept as the SDK gave them.

import {randomUUID} from 'node:crypto';

const redirect = 'http://127.0.0.1:3334/callback';

export function signInAlone(given = {}) {
  const kept = {};
  if (given.client_id) kept.client = {client_id: given.client_id, client_secret: given.client_secret};
  return {
    redirectUrl: redirect,
    clientMetadataUrl: 'https://client.example/metadata.json',
    clientMetadata: {
      client_name: 'judged', redirect_uris: [redirect], application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => kept.state = randomUUID(),
    clientInformation: () => kept.client,
    saveClientInformation: client => { kept.client = client; },
    tokens: () => kept.tokens,
    saveTokens: tokens => { kept.tokens = tokens; },
    saveCodeVerifier: verifier => { kept.verifier = verifier; },
    codeVerifier: () => kept.verifier,
    // What a user's browser would do.
    async redirectToAuthorization(address) {
      const answer = await fetch(address, {redirect: 'manual'});
      kept.back = new URL(answer.headers.get('location') ?? redirect).searchParams;
    },
    invalidateCredentials(what) {
      if (what === 'all' || what === 'client') delete kept.client;
      if (what === 'all' || what === 'tokens') delete kept.tokens;
    },
    // broughtBack returns what came back, once; undefined: nothing did.
    broughtBack() {
      const back = kept.back;
      delete kept.back;
      if (back && back.get('state') !== kept.state) throw new Error('an answer to another question');
      return back;
    },
  };
}
