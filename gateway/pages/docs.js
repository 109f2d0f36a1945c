window.SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true })
