package tcp

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
)

// A job that is to be encrypted needs no certificates of its own: the key pair follows from its
// secret, so that all its processes have the same, and each side lets in who has it.

// encryption returns the settings of both sides of a connection, or nil if nothing is to be hidden.
func (j *Job) encryption() (*tls.Config, error) {
	if !j.Encrypt {
		return nil, nil
	}
	mac := hmac.New(sha256.New, j.Secret[:])
	mac.Write([]byte("certificate"))
	key := ed25519.NewKeyFromSeed(mac.Sum(nil))
	var template x509.Certificate // nobody looks at anything but its key
	text, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	public := key.Public().(ed25519.PublicKey)
	return &tls.Config{
		MinVersion:             tls.VersionTLS13,
		Certificates:           []tls.Certificate{{Certificate: [][]byte{text}, PrivateKey: key}},
		ClientAuth:             tls.RequireAnyClientCert,
		SessionTicketsDisabled: true, // the key is checked each time
		InsecureSkipVerify:     true, // there is no name and no authority; the key is what counts
		VerifyConnection: func(theirs tls.ConnectionState) error {
			if len(theirs.PeerCertificates) == 0 || !public.Equal(theirs.PeerCertificates[0].PublicKey) {
				return errForeignKey
			}
			return nil
		},
	}, nil
}

var errForeignKey = errors.New("tcp: the other side's certificate is not that of the job")
