"""An authorization server by Authlib: it reads the assertions with which a client proves who it is,
signs the tokens that it gives out, and judges metadata of others.

  python3 authlib_issuer.py serve PUBLIC_KEYS    PUBLIC_KEYS is a JWK Set, the keys of the client
                                                 "machine"; prints its URL
  python3 authlib_issuer.py metadata             reads metadata from standard input (RFC 8414)

Exit status 77: there is no Authlib here.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

try:
    from authlib.jose import JsonWebKey, JsonWebToken
    from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
except ImportError:
    print('skipped: there is no Authlib; ./plumb test installs it', file=sys.stderr)
    sys.exit(77)

OURS = {'RS256': ('RSA', 2048), 'ES256': ('EC', 'P-256'), 'EdDSA': ('OKP', 'Ed25519')}
KEYS = {name: JsonWebKey.generate_key(kind, size, {'kid': name}, is_private=True)
        for name, (kind, size) in OURS.items()}
TOKEN = JsonWebToken(list(OURS))
TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'


def metadata(issuer):
    return {'issuer': issuer, 'token_endpoint': issuer + '/token', 'jwks_uri': issuer + '/jwks',
            'authorization_endpoint': issuer + '/authorize', 'response_types_supported': ['code'],
            'grant_types_supported': ['client_credentials'],
            'code_challenge_methods_supported': ['S256'],
            'token_endpoint_auth_methods_supported': ['private_key_jwt'],
            'token_endpoint_auth_signing_alg_values_supported': list(OURS)}


def judge(document):
    """Judges metadata as RFC 8414 says; Authlib takes no loopback address for https."""
    secure = json.loads(json.dumps(document).replace('http://127.0.0.1', 'https://127.0.0.1'))
    AuthorizationServerMetadata(secure).validate()


class Issuer(BaseHTTPRequestHandler):
    used = set()  # The ids of assertions.

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        issuer = self.server.issuer
        if self.path == '/.well-known/oauth-authorization-server':
            return self.answer(200, metadata(issuer))
        if self.path == '/jwks':
            return self.answer(200, {'keys': [key.as_dict(is_private=False) for key in KEYS.values()]})
        return self.answer(404, {})

    def do_POST(self):
        size = int(self.headers['Content-Length'])
        form = {name: values[0] for name, values in parse_qs(self.rfile.read(size).decode()).items()}
        try:
            algorithm = self.client_of(form)
        except Exception as wrong:
            return self.answer(401, {'error': 'invalid_client', 'error_description': str(wrong)})
        now = int(time.time())
        claims = {'iss': self.server.issuer, 'aud': form['resource'], 'sub': 'machine',
                  'client_id': 'machine', 'scope': form.get('scope', ''), 'iat': now,
                  'exp': now + 300, 'jti': str(len(self.used))}
        header = {'alg': algorithm, 'kid': algorithm, 'typ': 'at+jwt'}
        token = TOKEN.encode(header, claims, KEYS[algorithm]).decode()
        return self.answer(200, {'access_token': token, 'token_type': 'Bearer', 'expires_in': 300})

    def client_of(self, form):
        """Returns the algorithm of an assertion that is as RFC 7523 says."""
        if form.get('client_assertion_type') != TYPE:
            raise ValueError('no assertion')
        times = {'essential': True}
        claims = TOKEN.decode(form['client_assertion'], self.server.client_keys, claims_options={
            'iss': {'essential': True, 'value': 'machine'},
            'sub': {'essential': True, 'value': 'machine'},
            'aud': {'essential': True, 'values': [self.server.issuer, self.server.issuer + '/token']},
            'exp': times, 'iat': times, 'jti': times})
        claims.validate()
        if claims['jti'] in self.used or claims['exp'] > time.time() + 300:
            raise ValueError('an assertion that is used again, or lasts too long')
        self.used.add(claims['jti'])
        return claims.header['alg']

    def log_message(self, *_):
        pass


if sys.argv[1] == 'metadata':
    judge(json.load(sys.stdin))
else:
    server = ThreadingHTTPServer(('127.0.0.1', 0), Issuer)
    server.issuer = f'http://127.0.0.1:{server.server_port}'
    server.client_keys = JsonWebKey.import_key_set(json.loads(sys.argv[2]))
    judge(metadata(server.issuer))
    print(server.issuer, flush=True)
    server.serve_forever()
