/** Settings of proxies between users and the server of an application: TLS, and the address of who calls. */
import type { MachineApp } from './machine-app.ts';

/** https://caddyserver.com/docs/caddyfile: certificates come by themselves, sockets and streams pass as they are. */
export function caddyfile({ host, port, bodyBytes, answerSeconds }: MachineApp): string {
  return `# Written by svc build --target machine. Import it in /etc/caddy/Caddyfile, or make it that file.
${host} {
	encode zstd gzip
	request_body {
		max_size ${bodyBytes}
	}
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy 127.0.0.1:${port} {
		transport http {
			response_header_timeout ${answerSeconds}s
		}
	}
}
`;
}

/** https://nginx.org/en/docs/http/websocket.html: a file for /etc/nginx/conf.d. */
export function nginxConf({ name, host, port, bodyBytes, answerSeconds }: MachineApp): string {
  const id = name.replaceAll('-', '_');
  return `# Written by svc build --target machine. Goes to /etc/nginx/conf.d/${name}.conf; the certificate is that of certbot.
map $http_upgrade $${id}_connection {
    default upgrade;
    ''      '';
}

upstream ${id} {
    server 127.0.0.1:${port};
    keepalive 32;
}

server {
    listen 80;
    listen [::]:80;
    server_name ${host};
    location /.well-known/acme-challenge/ { root /var/www/html; }
    location / { return 301 https://$host$request_uri; }
}

server {
    listen 443 ssl http2;
    listen [::]:443 ssl http2;
    server_name ${host};

    ssl_certificate     /etc/letsencrypt/live/${host}/fullchain.pem;
    ssl_certificate_key /etc/letsencrypt/live/${host}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    add_header Strict-Transport-Security "max-age=31536000" always;

    client_max_body_size ${bodyBytes};

    location / {
        proxy_pass http://${id};
        proxy_http_version 1.1;
        proxy_set_header Host $host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $${id}_connection;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Host $host;
        # Streams are passed on as they come, sockets stay open between messages.
        proxy_buffering off;
        proxy_request_buffering off;
        proxy_read_timeout ${Math.max(answerSeconds, 120)}s;
    }
}
`;
}
