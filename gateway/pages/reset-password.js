// The page behind the link of a password mail. The token stays out of history and of what other pages are told.
const english = {
  title: 'Choose a new password',
  password: 'New password',
  again: 'Once more',
  send: 'Save the password',
  different: 'The two passwords are not alike.',
  done: 'Your password has been changed. You can sign in with it now.',
  refused: 'This link is wrong, too old or was used before. Ask for a new one.',
  failed: 'That did not work. Try again in a moment.',
}
const spanish = {
  title: 'Elige una contraseña nueva',
  password: 'Contraseña nueva',
  again: 'Otra vez',
  send: 'Guardar la contraseña',
  different: 'Las dos contraseñas no coinciden.',
  done: 'Tu contraseña ha cambiado. Ya puedes entrar con ella.',
  refused: 'El enlace no es válido, ha caducado o ya se usó. Pide otro.',
  failed: 'No ha funcionado. Inténtalo de nuevo dentro de un momento.',
}
const isSpain = /^(es|ca|gl|eu)\b/.test(navigator.language)
const words = isSpain ? spanish : english

document.documentElement.lang = isSpain ? 'es' : 'en'
document.title = `${words.title} · Asiento`
for (const element of document.querySelectorAll('[data-text]')) element.textContent = words[element.dataset.text]

const token = new URLSearchParams(location.search).get('token') ?? ''
history.replaceState(null, '', location.pathname)

const form = document.querySelector('form')
const button = form.querySelector('button')
const say = (text) => {
  document.querySelector('[role=status]').textContent = text
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (form.password.value !== form.again.value) return say(words.different)
  button.disabled = true
  const answer = await fetch('/auth/reset-password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, new_password: form.password.value }),
  }).catch(() => undefined)
  button.disabled = false
  if (answer?.ok) {
    form.hidden = true
    return say(words.done)
  }
  say(answer?.status === 400 ? words.refused : words.failed)
})
